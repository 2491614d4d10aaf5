//! Cuts what one host sends into whole frames.

use board_wire::MAX_FRAME;

/// What a host has begun to send. A frame ends with a byte 00 (`docs/wire.md`, section 2).
#[derive(Default, Debug)]
pub(super) struct FrameSplitter {
    begun: Vec<u8>,
}

impl FrameSplitter {
    /// Takes bytes, and hands every frame that is complete with them to `take`, its 00 included.
    pub(super) fn push(&mut self, bytes: &[u8], take: &mut dyn FnMut(&[u8])) {
        for piece in bytes.split_inclusive(|byte| *byte == 0) {
            // Whatever is longer than the longest frame is damage: one byte more shows that, and
            // the rest need not be kept.
            let room = (MAX_FRAME + 1).saturating_sub(self.begun.len());
            let (last, kept) = (piece.last() == Some(&0), &piece[..piece.len().min(room)]);
            self.begun.extend_from_slice(kept);
            if last {
                if kept.last() != Some(&0) {
                    self.begun.push(0);
                }
                take(&self.begun);
                self.begun.clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(pieces: &[&[u8]]) -> Vec<Vec<u8>> {
        let (mut frames, mut cut) = (FrameSplitter::default(), Vec::new());
        for piece in pieces {
            frames.push(piece, &mut |frame| cut.push(frame.to_vec()));
        }
        cut
    }

    #[test]
    fn frames_are_whole_however_they_arrive() {
        assert_eq!(
            cut(&[&[0, 1, 2], &[3], &[0, 4, 0, 5]]),
            [vec![0], vec![1, 2, 3, 0], vec![4, 0]]
        );
    }

    #[test]
    fn what_is_too_long_for_a_frame_stays_so_and_takes_no_memory() {
        let flood = vec![7; 100_000];
        let cut = cut(&[&flood, &flood, &[0], &[1, 0]]);
        assert_eq!(
            cut,
            [[vec![7; MAX_FRAME + 1], vec![0]].concat(), vec![1, 0]]
        );
    }
}
