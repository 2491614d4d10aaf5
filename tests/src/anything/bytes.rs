//! Choices taken from bytes. When they run out, every choice is the first.

/// What is left of the bytes.
pub(crate) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Bytes<'a> {
        Bytes(bytes)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next byte; 0 after the last.
    pub(crate) fn next(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    /// One of `n` choices, `n` at most 256.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::from(self.next()) % n.max(1)
    }

    /// Yes or no.
    pub(crate) fn flip(&mut self) -> bool {
        self.next() % 2 == 1
    }

    /// Yes once in `n`.
    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    /// One of a list that is not empty.
    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}
