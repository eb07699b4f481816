//! Names that are probably misspelt.

/// How similar a known name must be to be suggested for an unknown one.
const SIMILAR: f64 = 0.85;
/// Longer names are not compared.
const MAX_NAME_LENGTH: usize = 64;

/// The candidate that is most similar to a name, if one is similar enough.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    if name.len() > MAX_NAME_LENGTH {
        return None;
    }
    let name = name.to_ascii_lowercase();
    let similarity = |candidate: &'c str| (strsim::jaro_winkler(candidate, &name), candidate);
    let nearest = candidates.into_iter().map(similarity).max_by(|a, b| a.0.total_cmp(&b.0));
    // A long common beginning alone says little.
    let is_near = |candidate: &str| strsim::osa_distance(candidate, &name) <= (name.len() / 3).max(2);
    let nearest = nearest.filter(|(similarity, candidate)| *similarity > SIMILAR && is_near(candidate));
    nearest.map(|(_, candidate)| candidate)
}
