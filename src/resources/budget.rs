//! An amount that several readers use up together.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How much may be used in all. Clones share what is left.
///
/// ```
/// use chatmd::resources::Budget;
///
/// let budget = Budget::new(10);
/// let same = budget.clone();
/// assert!(budget.take(7));
/// assert!(!same.take(4));
/// assert_eq!(same.left(), 3);
/// ```
#[derive(Debug, Clone)]
pub struct Budget {
    total: u64,
    left: Arc<AtomicU64>,
}

impl Budget {
    /// An unused budget.
    #[must_use]
    pub fn new(total: u64) -> Self {
        Self { total, left: Arc::new(AtomicU64::new(total)) }
    }

    /// How much there was at first.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How much is left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// Uses an amount. If less is left, uses nothing and returns `false`.
    #[must_use]
    pub fn take(&self, amount: u64) -> bool {
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(amount)).is_ok()
    }
}
