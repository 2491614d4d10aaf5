//! Trials of what a board has for the bench. Nothing is set, and no boot loader is started.

use board_wire::{Capabilities, FromBoard, MapRanks, SquareMap, ToBoard};

use super::Outcome::{self, Failed, Passed, Untried};
use super::{NOTHING, Trials};

impl Trials {
    /// Two numbers that it has not told, and then the right one. The second request is left out.
    pub(in crate::conform) async fn loader(&mut self) -> Outcome {
        let Some(hello) = self.greet().await.and_then(|hello| hello.nonce) else {
            return Untried("no hello tells a nonce".to_owned());
        };
        self.talk.forget();
        let mut told = Vec::new();
        for nonce in [0, !hello, hello] {
            self.talk.say(ToBoard::StartLoader { nonce }).await;
            let heard = self.talk.hear_all(NOTHING).await;
            let number = heard.iter().find_map(|heard| match heard.message {
                FromBoard::Loader { nonce, .. } => Some(nonce),
                _ => None,
            });
            told.push(number);
        }
        let stays = self.greet().await.is_some();
        match (self.has(Capabilities::LOADER), &told[..], stays) {
            (_, _, false) => Failed("it is no board any more".to_owned()),
            (false, [None, None, None], _) => Passed("it has none that can be asked".to_owned()),
            (true, [None, None, Some(own)], _) if *own != hello && *own != 0 => {
                Passed("it asks back, once it is asked with the hello's nonce".to_owned())
            }
            (true, [None, None, Some(_)], _) => {
                Failed("it asks back with 0 or with what it was asked".to_owned())
            }
            (true, [None, None, None], _) => Failed("it does not ask back".to_owned()),
            _ => Failed("it asks back for what it was not asked".to_owned()),
        }
    }

    pub(in crate::conform) async fn map(&mut self) -> Outcome {
        self.talk.forget();
        self.talk.say(ToBoard::RequestMap).await;
        let heard = self.talk.hear_all(NOTHING).await;
        let (mut ranks, mut count, mut map) = (MapRanks::default(), 0, None);
        for heard in &heard {
            if let FromBoard::Map { rank, .. } = &heard.message {
                count += 1;
                map = ranks.take(rank).flatten().or(map);
            }
        }
        match (self.has(Capabilities::MAP), count, map) {
            (false, 0, _) => Passed("it has none".to_owned()),
            (false, _, _) => Failed("it tells one, and that it has none".to_owned()),
            (true, 8, Some(map)) if map == SquareMap::IDENTITY => {
                Passed("every line reads its own square".to_owned())
            }
            (true, 8, Some(_)) => Passed("some lines read other squares".to_owned()),
            (true, count, _) => Failed(format!(
                "it told {count} ranks, and they are no map of 64 squares"
            )),
        }
    }

    pub(in crate::conform) async fn self_test(&mut self) -> Outcome {
        self.talk.forget();
        self.talk.say(ToBoard::SelfTest).await;
        let heard = self.talk.hear_all(NOTHING).await;
        let parts: Vec<_> = heard
            .iter()
            .filter_map(|heard| match heard.message {
                FromBoard::Tested { tested, .. } => Some(tested),
                _ => None,
            })
            .collect();
        let is_whole = (0..).zip(&parts).all(|(n, part): (usize, _)| {
            (usize::from(part.number), usize::from(part.count)) == (n, parts.len())
        });
        match (self.has(Capabilities::SELF_TEST), parts.len()) {
            (false, 0) => Passed("it has none".to_owned()),
            (false, _) => Failed("it has a self-test, and says that it has none".to_owned()),
            (true, 0) => Failed("it told nothing".to_owned()),
            (true, count) if is_whole => Passed(format!("of {count} parts")),
            (true, count) => Failed(format!("{count} parts are no whole report")),
        }
    }
}
