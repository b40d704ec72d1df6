//! The bounds in words.

use super::Bounds;
use crate::words::show_duration;

impl Bounds {
    /// The bounds in words, each with what it is a bound of.
    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        let attempts = n64(self.attempts, "attempt", "attempts");
        let mut out = vec![("attempts", format!("{attempts} for one intent, owned by {}", self.owner))];
        if !self.below.is_empty() {
            let layers: Vec<String> = self.below.iter().map(|(name, n)| format!("{name} {n}")).collect();
            out.push(("below", format!("{}: {} in all at the receiver", layers.join(", "), self.attempts_in_all)));
        }
        out.push(match self.waits {
            None => ("waits", "none: no row waits to try again".into()),
            Some(w) => {
                let (longest, left) = (show_duration(w.longest_ms), show_duration(w.left_ms));
                let count = n64(w.n, "wait", "waits");
                ("waits", format!("{longest} at most in {count}, of {left} that the deadline leaves"))
            }
        });
        let at_once = n64(self.overlapping, "attempt", "attempts");
        let copies = if self.copies > 1 { format!(", {} of one hedge", self.copies) } else { String::new() };
        let in_all = if self.overlapping_in_all > self.overlapping {
            format!(": {} at the receiver", self.overlapping_in_all)
        } else {
            String::new()
        };
        out.push(("overlap", format!("{at_once} under way at once{copies}{in_all}")));
        out.push(("confirm", format!("{}, on an account of its own", n64(self.confirm, "try", "tries"))));
        for memory in &self.memories {
            let remembers = memory.remembers_ms.map_or_else(|| "for ever".into(), show_duration);
            let needed = show_duration(memory.needed_ms);
            out.push(("memory", format!("{} remembers {remembers}, and {needed} are needed", memory.locator)));
        }
        out
    }
}

fn n64(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
