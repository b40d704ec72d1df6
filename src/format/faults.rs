//! Where a text cannot be read: what lies there is not written anew.

use crate::diag::{Diagnostic, N0103, N0104};
use crate::text::Span;

/// The places of findings, sorted. A byte order mark and a tab are none: they stand in nothing's way.
#[derive(Debug, Default)]
pub(super) struct Faults {
    places: Vec<(usize, usize)>,
    /// The furthest end of the places up to each one.
    furthest: Vec<usize>,
}

impl Faults {
    pub(super) fn new(findings: &[Diagnostic]) -> Self {
        let findings = findings.iter().filter(|f| f.code != N0103 && f.code != N0104);
        let labels = findings.flat_map(|f| f.labels.iter().filter(|label| label.primary));
        let mut places: Vec<_> = labels.map(|l| (l.span.start as usize, l.span.end as usize)).collect();
        places.sort_unstable();
        let furthest = places.iter().scan(0, |far, (_, end)| {
            *far = (*end).max(*far);
            Some(*far)
        });
        let furthest = furthest.collect();
        Faults { places, furthest }
    }

    /// Whether everything can be read.
    pub(super) fn is_none(&self) -> bool {
        self.places.is_empty()
    }

    /// The places that lie in a piece of the text or touch it.
    fn of(&self, start: usize, end: usize) -> impl Iterator<Item = (usize, usize)> {
        let n = self.places.partition_point(|(from, _)| *from <= end);
        let any = n > 0 && self.furthest[n - 1] >= start;
        let places = self.places[..if any { n } else { 0 }].iter();
        places.copied().filter(move |(_, to)| *to >= start)
    }

    /// Whether something there cannot be read.
    pub(super) fn any(&self, start: usize, end: usize) -> bool {
        self.of(start, end).next().is_some()
    }

    /// The same for a span.
    pub(super) fn in_span(&self, span: Span) -> bool {
        self.any(span.start as usize, span.end as usize)
    }

    /// Whether all that cannot be read there lies within one of the pieces.
    pub(super) fn lie_within(&self, start: usize, end: usize, pieces: &[(usize, usize)]) -> bool {
        self.of(start, end).all(|(from, to)| pieces.iter().any(|(s, e)| *s <= from && to <= *e))
    }
}
