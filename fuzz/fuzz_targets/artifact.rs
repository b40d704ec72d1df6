//! Arbitrary bytes as an artifact, under a right checksum: an error, or a policy that answers, and never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nisi::Policy;
use nisi::decide::Refused;

/// The same bytes as an artifact that is whole: the length and the checksum are its own.
fn mended(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let length = bytes.len() as u64;
    if let Some(place) = bytes.get_mut(16..24) {
        place.copy_from_slice(&length.to_le_bytes());
    }
    if let Some((body, place)) = bytes.split_last_chunk_mut::<4>() {
        *place = crc32fast::hash(body).to_le_bytes();
    }
    bytes
}

fuzz_target!(|bytes: &[u8]| {
    let _ = Policy::load(bytes);
    let Ok(policy) = Policy::load(mended(bytes)) else { return };
    let (facts, refused) = (policy.no_facts(), Refused::nothing());
    let decision = policy.decide_with(&facts, &refused);
    let _ = (decision.to_json(Some(1)), decision.why().to_string(), decision.row_name());
    let _ = policy.decide_plainly(&facts, &refused).to_json(None);
    let _ = policy.rows().map(|row| row.to_string().len() + row.line()).max();
    let _ = (policy.to_artifact(), policy.inspect());
});
