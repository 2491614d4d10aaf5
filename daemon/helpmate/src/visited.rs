//! The positions that a search has come to, each once, in the order in which it came to them.

use crate::packed::Packed;

/// A position and the one it was reached from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) place: Packed,
    /// The number of the node before; its own for the first.
    pub(crate) before: u32,
}

/// Nodes by number, and a table to find them by position.
#[derive(Debug)]
pub(crate) struct Visited {
    nodes: Vec<Node>,
    /// Numbers of nodes plus one; 0 is free. Its length is a power of two, and half of it is free.
    table: Vec<u32>,
}

impl Visited {
    pub(crate) fn new() -> Visited {
        Visited {
            nodes: Vec::new(),
            table: vec![0; 1 << 10],
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn node(&self, number: u32) -> &Node {
        &self.nodes[number as usize]
    }

    /// The number of a position that is new; `None` when it was there before.
    pub(crate) fn add(&mut self, place: Packed, before: u32) -> Option<u32> {
        if self.nodes.len() * 2 >= self.table.len() {
            self.grow();
        }
        let slot = self.slot(&place);
        if self.table[slot] != 0 {
            return None;
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(Node { place, before });
        self.table[slot] = number + 1;
        Some(number)
    }

    /// Where the position stands in the table, or would.
    fn slot(&self, place: &Packed) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = (place.spread() >> 20) as usize & mask;
        loop {
            match self.table[slot] {
                0 => return slot,
                n if self.nodes[n as usize - 1].place == *place => return slot,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        self.table = vec![0; self.table.len() * 4];
        for number in 0..self.nodes.len() {
            let slot = self.slot(&self.nodes[number].place);
            self.table[slot] = number as u32 + 1;
        }
    }
}
