# Reads tables of numbers, one file for each, and prints "check file value..." for each: the answers of base R.
files <- commandArgs(trailingOnly = TRUE)
say <- function(check, file, values) cat(check, basename(file), sprintf("%.17g", values), "\n")
for (file in files) {
  x <- as.matrix(read.csv(file, header = FALSE))
  f <- friedman.test(x); say("friedman chi2", file, c(f$statistic, f$p.value))
  q <- quade.test(x); say("quade", file, c(q$statistic, q$p.value))
  w <- suppressWarnings(wilcox.test(x[, 1], x[, 2], paired = TRUE, exact = TRUE, correct = FALSE))
  say("wilcoxon", file, w$p.value)
  t <- t.test(x[, 1], x[, 2], paired = TRUE); say("paired t", file, c(abs(t$statistic), t$p.value))
  m <- mauchly.test(lm(x[, 1:3] ~ 1), X = ~1); say("mauchly", file, c(m$statistic, m$p.value))
  s <- sum(x[, 1] < x[, 2]); say("sign", file, binom.test(s, nrow(x))$p.value)
  p <- abs(sin(x[, 1])) ^ 4
  for (method in c("bonferroni", "holm", "hochberg", "hommel", "BH", "BY")) say(method, file, p.adjust(p, method))
  say("range", file, ptukey(abs(x[, 1]) * 3, ncol(x), nrow(x), lower.tail = FALSE))
  counts <- pmin(round(abs(x[1:2, 1:2]) * 10) + 1, 39)
  say("mcnemar", file, binom.test(counts[1, 2], counts[1, 2] + counts[2, 1])$p.value)
  say("fisher", file, fisher.test(rbind(counts[, 1], 40 - counts[, 1]))$p.value)
}
