//! Samples of named items, chosen by hashes of their names.
//!
//! Adding or removing an item does not change which others a sample contains; taking every n-th
//! item would.

/// The hash of a name, the same on every machine and in every version: FNV-1a over its bytes, then
/// the finalizer of SplitMix64, because the low bits of FNV-1a depend on the low bits of the bytes
/// alone.
#[must_use]
pub fn hash(name: &str) -> u64 {
    hash_of_bytes(name.as_bytes())
}

/// The hash of a text or a file.
pub(crate) fn hash_of_bytes(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// Whether `name` belongs to a sample with the rate 1/`every`.
#[must_use]
pub fn is_one_in(every: u64, name: &str) -> bool {
    hash(name).is_multiple_of(every)
}

/// The `count` items whose names have the least hashes, in the order of `items`. A further item
/// replaces at most one.
#[must_use]
pub fn least<T>(items: Vec<T>, count: usize, name: impl Fn(&T) -> String) -> Vec<T> {
    let mut hashes: Vec<u64> = items.iter().map(|item| hash(&name(item))).collect();
    let of_item = hashes.clone();
    hashes.sort_unstable();
    let bound = hashes.get(count).copied();
    let is_kept = |hash: u64| bound.is_none_or(|bound| hash < bound);
    items.into_iter().zip(of_item).filter(|&(_, hash)| is_kept(hash)).map(|(item, _)| item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        (0..1000).map(|number| format!("folder/case_{number}")).collect()
    }

    #[test]
    fn hashes_are_what_they_were() {
        // Other hashes would change the samples, and the numbers in `decided.txt`.
        assert_eq!(hash(""), 0xf52a_15e9_a9b5_e89b);
        assert_eq!(hash("memory/array::bmc::z3::ABVFP"), 0x32e8_4c31_81be_48a7);
    }

    #[test]
    fn a_sample_of_one_in_so_many_has_about_that_size() {
        for every in [2, 3, 4, 12] {
            let size = names().iter().filter(|name| is_one_in(every, name)).count() as u64;
            assert!((700 / every..1300 / every).contains(&size), "{size} of 1000 names, rate 1/{every}");
        }
    }

    #[test]
    fn parts_of_a_name_do_not_decide_on_their_own() {
        let both =
            |name: &&String| is_one_in(2, &format!("{name}::a")) && is_one_in(2, &format!("{name}::b"));
        let count = names().iter().filter(both).count();
        assert!((180..320).contains(&count), "{count} of 1000 names are in both halves");
    }

    #[test]
    fn a_further_item_takes_the_place_of_one_at_most() {
        let sample = least(names(), 40, String::clone);
        assert_eq!(sample.len(), 40);
        let mut more = names();
        for number in 0..100 {
            let before = least(more.clone(), 40, String::clone);
            more.insert(0, format!("folder/more_{number}"));
            let after = least(more.clone(), 40, String::clone);
            assert!(before.iter().filter(|name| !after.contains(name)).count() <= 1);
        }
        assert_eq!(least(names(), 2000, String::clone), names());
    }
}
