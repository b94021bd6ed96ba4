//! Spearman's rank correlation, with ties.

/// The correlation of the ranks of two lists; equal numbers share the mean of their ranks. Zero where either list is all equal.
pub(super) fn spearman(x: &[f64], y: &[f64]) -> f64 {
    pearson(&ranks(x), &ranks(y))
}

fn ranks(numbers: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|i, j| numbers[*i].total_cmp(&numbers[*j]));
    let mut ranks = vec![0.0; numbers.len()];
    let mut first = 0;
    for tied in order.chunk_by(|i, j| numbers[*i].total_cmp(&numbers[*j]).is_eq()) {
        for i in tied {
            ranks[*i] = first as f64 + (tied.len() - 1) as f64 / 2.0;
        }
        first += tied.len();
    }
    ranks
}

fn pearson(x: &[f64], y: &[f64]) -> f64 {
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    let (mean_x, mean_y) = (mean(x), mean(y));
    let sum = |of: &dyn Fn(f64, f64) -> f64| x.iter().zip(y).map(|(x, y)| of(x - mean_x, y - mean_y)).sum::<f64>();
    let spread = (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
    if spread > 0.0 { sum(&|x, y| x * y) / spread } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_by_hand() {
        let of = |x: &[f64], y: &[f64]| format!("{:.3}", spearman(x, y));
        assert_eq!(of(&[1.0, 2.0, 3.0], &[10.0, 20.0, 1000.0]), "1.000");
        assert_eq!(of(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), "-1.000");
        // ranks 0 1 2 3 and 1 0 3 2: 1 - 6·4 / (4·15)
        assert_eq!(of(&[1.0, 2.0, 3.0, 4.0], &[2.0, 1.0, 4.0, 3.0]), "0.600");
        // ranks 0.5 0.5 2 and 0 1 2: 1.5 / sqrt(1.5 · 2)
        assert_eq!(of(&[5.0, 5.0, 7.0], &[1.0, 2.0, 3.0]), "0.866");
        assert_eq!(of(&[1.0, 1.0], &[1.0, 2.0]), "0.000");
    }
}
