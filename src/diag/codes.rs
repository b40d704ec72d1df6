//! The list of all codes. A code is one line here and one page in `pages/`; `tidy` holds the two together.

use super::{Code, Severity};

macro_rules! codes {
    ($($id:ident $severity:ident $($pedantic:ident)? $title:literal;)*) => {
        $(
            pub(crate) const $id: Code = Code {
                id: stringify!($id),
                title: $title,
                severity: Severity::$severity,
                pedantic: !stringify!($($pedantic)?).is_empty(),
                page: include_str!(concat!("pages/", stringify!($id), ".md")),
            };
        )*
        /// Every code, in order.
        pub const ALL: &[Code] = &[$($id),*];
    };
}

codes! {
    // N01xx: syntax
    N0101 Error "a line that begins no item";
    N0102 Error "a limit passed";
    N0103 Warning "a byte order mark";
    N0104 Error "a tab";
    N0105 Error "a lone carriage return";
    N0106 Error "a control character";
    N0107 Error "a character that turns the direction of reading";
    N0108 Error "an invisible character";
    N0109 Error "a full-width or typographic character";
    N0110 Error "a letter that looks like another";
    N0111 Error "other quotation marks";
    N0112 Error "a text that is not closed";
    N0113 Error "a brace without its other";
    N0114 Error "no plain name";
    N0115 Error "a head that cannot be read";
    N0116 Error "no hit policy";
    N0117 Error "an action that cannot be read";
    N0118 Error "a test that cannot be read";
    N0119 Error "an entry that cannot be read";
    N0120 Error "a type that cannot be read";
    N0121 Error "a cell that cannot be read";
    N0122 Error "a comma missing, or one too many";
    N0123 Error "`unknown` or `known` out of place";
    N0124 Error "a sign of another language";
    N0125 Error "a comma inside a number";
    N0126 Error "a space inside a duration";
    N0127 Error "another sign for any value";
    N0128 Error "a blank cell";
    N0129 Error "a range or comparison that lacks a value";
    N0130 Error "a row that does not fit its header";
    N0131 Error "a line that belongs to no table";
    N0132 Error "a header that cannot be read";
    N0133 Error "a column twice";
    N0134 Error "a fixed row out of place";
    N0135 Error "a row's name twice";
    N0136 Error "a reason that belongs to no row";
    N0137 Error "two reasons for a row";
    N0190 Error "a file that is not written in UTF-8";
    // N02xx: names and types
    N0201 Error "a name that nothing declares";
    N0202 Error "a value that its fact does not have";
    N0203 Error "a name that is taken";
    N0204 Error "the same value twice";
    N0205 Error "a word of the language used as a name";
    N0206 Error "a name of another kind";
    N0207 Error "a cell of another type";
    N0208 Error "a duration without its unit";
    N0209 Error "a number or time that cannot be read";
    N0210 Error "a value outside its domain";
    N0211 Error "a value between two steps";
    N0212 Error "a range that runs backwards";
    N0213 Error "a test that nothing passes";
    N0214 Error "a comparison without an order";
    N0215 Error "a type or domain that cannot be";
    N0216 Error "a fact that cannot be extended";
    N0217 Error "a header line too many or too few";
    N0218 Error "a policy without a table";
    N0219 Error "more than the limit allows";
    N0220 Error "an entry that is unknown or doubled";
    N0221 Error "a block that lacks an entry";
    N0222 Error "an entry that cannot be read";
    N0223 Error "numbers that contradict each other";
    N0224 Error "a second budget";
    N0225 Error "a parity that says nothing, or twice";
    N0226 Error "an action that is not complete";
    N0227 Error "an action that cannot be judged";
    N0228 Error "a way for refusal too many";
    N0229 Error "a way for refusal that can be refused";
    N0230 Error "a circle";
    N0231 Error "`see` where it cannot stand";
    N0232 Error "a hit policy that does not fit";
    N0233 Error "outputs that differ from the head";
    N0234 Error "a table that nothing leads to";
    N0235 Error "a table without rows";
    N0236 Error "a rule about no action";
    N0237 Error "a waiver that cannot hold";
    N0238 Error "a row that does not exist";
    N0239 Error "a derived fact that is given";
    N0240 Error "an example without one value";
    N0241 Error "a fact given twice";
    N0242 Error "an example that expects nothing";
    N0243 Error "`tighten` without a table to tighten";
    N0244 Error "a budget wider than its base's";
    N0245 Error "a base's rule that is waived";
    N0250 Error "a file that cannot be found";
    N0251 Error "files that use each other in a circle";
    N0252 Error "a base of another version";
    N0253 Error "a base that is no policy";
    // N03xx: analysis
    N0301 Error "facts that no row takes";
    N0302 Error "facts that no row takes while another is unknown";
    N0303 Error "two rows for the same facts";
    N0304 Error "two rows that disagree";
    N0305 Error "a promise that is not kept";
    N0306 Error "`done` where nothing is confirmed";
    N0307 Error "`wait` where nothing is pending";
    N0308 Error "a row that stands twice";
    N0309 Error "not decided within the steps";
    N0310 Error "too complex to look through";
    N0311 Warning "a row that is never the answer";
    N0312 Warning "a last row that is never reached";
    N0313 Error "one value between two ranges";
    N0314 Warning "a row that changes nothing";
    N0315 Note "two rows that could be one";
    N0316 Warning "a test that the guard makes";
    N0317 Note "a value that no test names";
    N0319 Warning "a block that nothing uses";
    N0320 Warning "a fact that nothing tests";
    N0321 Warning "a refusal without a way";
    N0322 Note "a row without a name";
    N0323 Note "an answer to a look-up that no row names";
    N0324 Note "lints that ran out of steps";
    N0325 Warning "a test that always holds";
    N0326 Note pedantic "a test that changes nothing";
    N0327 Warning "one value between two ranges, left to a wider row";
    N0328 Warning "unknown decided by `otherwise`";
    N0329 Warning "a value that never comes to its cell";
    N0330 Warning "a look-up that may go round for ever";
    N0331 Note pedantic "rows whose order decides";
    N0332 Note pedantic "a named row that changes nothing";
    N0333 Warning "an action that is always refused";
    N0334 Warning "a last row that acts";
    N0335 Warning "a value that no row gives";
    N0336 Warning "a name that nothing uses";
    N0337 Warning "a rule that never applies";
    N0338 Note pedantic "rows that never meet";
    // N04xx: rules and waivers
    N0399 Error "the program contradicts itself";
    N0401 Error "a rule that does not hold";
    N0402 Warning "a waiver that lifts nothing";
    N0403 Warning "acts without std.safety";
    N0404 Error "a waiver that has run out";
    N0405 Error "an overlay wider than its base";
    // N05xx: budgets and bounds
    N0501 Warning "acts without a budget";
    N0502 Warning "layers that multiply attempts";
    N0503 Warning "waits longer than the deadline together";
    N0504 Warning "a time that never fits";
    N0505 Warning "more than the budget ever has";
    N0506 Warning "a locator that forgets too soon";
    N0507 Warning "an overload that is asked again at once";
    N0508 Note pedantic "waits that all end together";
    N0509 Note pedantic "attempts without a brake";
    N0510 Warning "a look-up that ends before its answer shows";
    N0511 Warning "a single look, before the answer shows";
    // N06xx: releases and authorization
    N0601 Warning "a failover that no registered release can take";
    N0602 Warning "a release that no other may stand in for";
    // N07xx: style
    N0701 Warning "a policy without a version";
    // N08xx: examples
    N0801 Error "an example that gets another action";
    N0802 Error "an example that another row answers";
    N0803 Error "an example that does not reach its table";
}

/// The code of a name such as `N0203`, whatever the case of its letter.
///
/// ```
/// assert_eq!(nisi::diag::code("n0101").unwrap().id, "N0101");
/// assert!(nisi::diag::code("N9999").is_none());
/// ```
pub fn code(id: &str) -> Option<Code> {
    ALL.iter().find(|c| c.id.eq_ignore_ascii_case(id)).copied()
}
