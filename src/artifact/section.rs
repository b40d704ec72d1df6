//! The parts of an artifact.

/// A part of an artifact. Those that are read row by row come first: what stands behind them is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    /// Names and reasons.
    Texts,
    /// What cells admit.
    Sets,
    /// What rows test, as numbers of sets.
    Tests,
    /// The rows.
    Rows,
    /// The values that derives and classifies give.
    Values,
    /// Name, digest, facts, blocks, the heads of the tables.
    Head,
    /// The different actions.
    Actions,
    /// Rules, waivers, examples.
    Rules,
    /// Where lines of the text begin.
    Lines,
    /// The codes of the facts.
    Codes,
    /// The matchers.
    Matchers,
}

impl Section {
    pub(crate) const ALL: [Section; 11] = [
        Section::Texts,
        Section::Sets,
        Section::Tests,
        Section::Rows,
        Section::Values,
        Section::Head,
        Section::Actions,
        Section::Rules,
        Section::Lines,
        Section::Codes,
        Section::Matchers,
    ];

    /// As errors call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Section::Texts => "texts",
            Section::Sets => "sets",
            Section::Tests => "tests",
            Section::Rows => "rows",
            Section::Values => "values",
            Section::Head => "head",
            Section::Actions => "actions",
            Section::Rules => "rules",
            Section::Lines => "lines",
            Section::Codes => "codes",
            Section::Matchers => "matchers",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_lie_as_they_are_numbered() {
        for (place, section) in Section::ALL.into_iter().enumerate() {
            assert_eq!(section as usize, place, "{}", section.name());
        }
    }
}
