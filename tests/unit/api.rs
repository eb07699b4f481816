//! Tests of `src/api.rs`.

use crate::api::Api;

#[test]
fn every_api_is_found_by_its_name() {
    for api in [Api::Responses, Api::Messages, Api::Chat] {
        assert_eq!(Api::from_name(api.name()), Some(api));
    }
    assert_eq!(Api::from_name("assistants"), None);
}
