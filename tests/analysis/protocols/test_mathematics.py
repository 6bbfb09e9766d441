# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: bridge
"""The module's mathematics on arrays: values by hand, and what is refused."""

import unittest

from protocol_test_case import ProtocolTestCase

import numpy as np

import collab


class MathematicsTest(ProtocolTestCase):
    def test_rules_aggregate_arrays_of_any_shape(self):
        vectors = [[[1, 2]], [[3, 4]], [[100, 6]]]
        self.assertEqual(collab.aggregate(vectors, "median").tolist(), [[3, 4]])
        self.assertEqual(collab.mean(vectors[:2], weights=[3, 1]).tolist(), [[1.5, 2.5]])
        self.assertIn("geometric-median", collab.aggregation_rules())
        for arguments, pattern in (
            (([[1], [2]], "krum:f=1"), "at least|needs"),
            (([[1, 2], [2]], "mean"), "differ in size"),
            (([[1], [2]], "average"), "unknown|mean"),
            (([[1], [float("nan")]], "mean"), "finite|nan"),
        ):
            with self.subTest(arguments), self.assertRaisesRegex(ValueError, pattern):
                collab.aggregate(*arguments)

    def test_attacks_forge_what_their_papers_say(self):
        self.assertEqual(collab.forge("sign-flip", own=[1, -2, 3]).tolist(), [-1, 2, -3])
        honest = [[1, 2], [3, 4]]
        forged = collab.forge("ipm:epsilon=0.5", honest=honest, count=3, byzantine=1)
        self.assertEqual(forged.tolist(), [-1, -1.5])
        self.assertIn("alie", collab.attacks())

    def test_what_is_compressed_is_read_again(self):
        vector = np.array([0.5, -3, 0, 2, 0.25, 0], np.float32)
        for name, size in (("float32", 5 + 24), ("float16", 5 + 12)):
            encoded = collab.compress(vector, name)
            self.assertEqual(len(encoded), size)
            self.assertEqual(collab.decompress(encoded, 6).tolist(), vector.tolist())
        few = collab.decompress(collab.compress(vector, "top-k:k=2"), 6)
        self.assertEqual(few.tolist(), [0, -3, 0, 2, 0, 0])
        with self.assertRaises(collab.Refused):
            collab.decompress(collab.compress(vector, "float32")[:-1], 6)
        self.assertEqual(sorted(collab.compressors())[0], "float16")

    def test_trust_is_that_of_the_paper(self):
        own = np.array([[0.9, 0.1], [0.5, 0.5]], np.float32)
        other = np.array([[0.1, 0.9], [0.5, 0.5]], np.float32)
        entropy = -(own * np.log(own)).sum(1)
        confidence = 1 / (entropy + 1)
        cosine = (own * other).sum(1) / np.linalg.norm(own, axis=1) / np.linalg.norm(other, axis=1)
        expected = np.array([confidence.mean(), (confidence * cosine).mean()])  # eq. (6)
        weights, affinities = collab.trust_weights(own, [own, other])
        np.testing.assert_allclose(affinities, expected, rtol=1e-6)
        np.testing.assert_allclose(weights, expected / expected.sum(), rtol=1e-6)
        np.testing.assert_allclose(
            collab.mix(weights, [own, other]), weights[0] * own + weights[1] * other, rtol=1e-6
        )
        self.assertGreater(collab.trust_flops(2, 2, 2), 0)

    def test_partitions_deal_every_sample_out_once(self):
        labels = np.arange(300) % 10
        parts = collab.partition_dirichlet(labels, 4, alpha=0.5, seed=1, minimum=5)
        self.assertEqual(sorted(np.concatenate(parts).tolist()), list(range(300)))
        self.assertTrue(min(map(len, parts)) >= 5)
        again = collab.partition_dirichlet(labels, 4, alpha=0.5, seed=1, minimum=5)
        self.assertEqual([one.tolist() for one in parts], [one.tolist() for one in again])

    def test_operations_are_counted_layer_by_layer(self):
        forward, training = collab.count_flops("linear", (1, 2, 2), 3)
        self.assertEqual(forward, 2 * 4 * 3)  # products, and additions with the bias
        self.assertGreater(training, 2 * forward)
        self.assertGreater(collab.measure(lambda: sum(range(1000))), 0)

    def test_samples_are_arrays(self):
        class Looking(collab.Protocol):
            metrics: list = []

            async def round(self):
                await self.sleep(1)

        inputs = np.random.default_rng(0).normal(size=(400, 3)).astype(np.float32)
        labels = np.arange(400) % 2
        run = self.simulate(Looking, data=(inputs, labels), rounds=1, samples=60, minimumSamples=8,
                            referenceSamples=20, testSamples=30, partition="iid")  # fmt: skip
        data = run.protocols[0].data
        self.assertEqual((data.train.inputs.shape[1:], data.classes), ((3,), 2))
        self.assertEqual(len(data.reference), 20)
        known = {tuple(np.round(row, 4)): label for row, label in zip(inputs, labels)}
        for row, label in zip(data.train.inputs, data.train.labels):
            self.assertEqual(known[tuple(np.round(row, 4))], label)
        some = data.train.select([2, 0])
        self.assertEqual(some.labels.tolist(), data.train.labels[[2, 0]].tolist())
        self.assertEqual(some.inputs.tolist(), data.train.inputs[[2, 0]].tolist())


if __name__ == "__main__":
    unittest.main()
