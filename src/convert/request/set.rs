//! Sets values at paths of JSON.

use crate::json::write::array;
use crate::json::{Json, Kind, MAX_DEPTH, Object, StringArena, is_valid};

/// Sets a value at a path of a request. The error is the reason why that is impossible.
pub(in crate::convert) fn assign<'d>(
    fields: &mut Object<'d>,
    path: &str,
    value: Json<'d>,
    strings: &'d StringArena,
) -> Result<(), String> {
    require_steps(path)?;
    let levels = path.split('.').count();
    let nested = "[".repeat(levels) + value.raw() + &"]".repeat(levels);
    if !is_valid(&nested) {
        return Err(format!("the request would nest more than {MAX_DEPTH} deep"));
    }
    let steps: Vec<&str> = path.split('.').collect();
    let (first, rest) = steps.split_first().ok_or("it is empty")?;
    let value = assigned(fields.take(first), rest, value, strings)?;
    fields.insert((*first).to_owned(), value);
    Ok(())
}

/// Returns an error for a path in another notation: `/reasoning/effort` or `tools[0].name`.
fn require_steps(path: &str) -> Result<(), String> {
    if let Some(pointer) = path.strip_prefix('/') {
        return Err(format!("write `{}`", pointer.replace('/', ".").trim_matches('.')));
    }
    let is_index = |step: &str| {
        let index = step.strip_suffix(']').and_then(|step| step.split_once('['));
        index.is_some_and(|(_, index)| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if path.split('.').any(is_index) {
        return Err(format!("write `{}`", path.replace('[', ".").replace(']', "").trim_matches('.')));
    }
    Ok(())
}

/// Sets a value at a path inside another one, through arrays and objects. Missing objects are created.
fn assigned<'d>(
    current: Option<Json<'d>>,
    steps: &[&str],
    value: Json<'d>,
    strings: &'d StringArena,
) -> Result<Json<'d>, String> {
    let Some((step, rest)) = steps.split_first() else { return Ok(value) };
    Ok(match current.map(Json::kind) {
        None | Some(Kind::Null | Kind::Object) => {
            let mut members = current.and_then(|json| json.object().ok()).unwrap_or_default();
            let inner = assigned(members.take(step), rest, value, strings)?;
            members.insert((*step).to_owned(), inner);
            strings.object(&members)
        }
        Some(Kind::Array) => {
            let mut elements = current.and_then(|json| json.array().ok()).unwrap_or_default();
            let element = step.parse().ok().and_then(|index: usize| elements.get_mut(index));
            let element = element.ok_or_else(|| format!("`{step}` is not an element of the array"))?;
            *element = assigned(Some(*element), rest, value, strings)?;
            strings.json(|out| array(out, elements, |out, element| out.push_str(element.raw())))
        }
        Some(kind) => return Err(format!("`{step}` cannot be set inside {kind}")),
    })
}
