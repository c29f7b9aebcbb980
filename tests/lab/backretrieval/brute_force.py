"""The three measures, pair by pair, as slow and as plain as they can be."""

import math


def cosine(a, b):
    norm = math.sqrt(sum(x * x for x in a) * sum(x * x for x in b))
    return sum(x * y for x, y in zip(a, b, strict=True)) / norm if norm else 0.0


def rank(own, scores):
    """Ties count against the system."""
    return sum(score >= own - 1e-6 for score in scores)


def xlr(source, target, k):
    rows = [[cosine(s, t) for t in target] for s in source]
    return sum(rank(row[i], row) <= k for i, row in enumerate(rows)) / len(rows)


def bkr(source, target, source_images, target_images, k):
    hits = 0
    for i, text in enumerate(source):
        scores = [cosine(text, other) for other in target]
        nearest = [j for j, score in enumerate(scores) if score >= max(scores) - 1e-6]
        back = [[cosine(target_images[j], image) for image in source_images] for j in nearest]
        hits += max(rank(row[i], row) for row in back) <= k
    return hits / len(source)


def corr(source, target, source_images, target_images):
    pairs = [(i, j) for i in range(len(source)) for j in range(len(target))]
    texts = ranks([1 - cosine(source[i], target[j]) for i, j in pairs])
    images = ranks([1 - cosine(source_images[i], target_images[j]) for i, j in pairs])
    a, b = ([x - sum(side) / len(side) for x in side] for side in (texts, images))
    norm = math.sqrt(sum(x * x for x in a) * sum(x * x for x in b))
    return sum(x * y for x, y in zip(a, b, strict=True)) / norm if norm else 0.0


def ranks(values):
    rounded = [round(value, 6) for value in values]
    return [sum(o < v for o in rounded) + (sum(o == v for o in rounded) + 1) / 2 for v in rounded]
