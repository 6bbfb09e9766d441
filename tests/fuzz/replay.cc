/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A stand-in for libFuzzer that every compiler has: fuzz-readers TARGET VARIANTS FILE... feeds a
// fuzz target each file as it is, and VARIANTS times with a few bytes changed, cut or copied.

#include "fuzz-targets.h"

#include "ns3/collab-random.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace
{

using ns3::collab::RandomGenerator;

/// @param limit above all values
/// @return 0 to limit - 1; 0 if limit is 0
std::size_t
Draw(RandomGenerator& generator, std::size_t limit)
{
    return limit == 0
               ? 0
               : boost::random::uniform_int_distribution<std::size_t>(0, limit - 1)(generator);
}

void
Mutate(std::vector<uint8_t>& bytes, RandomGenerator& generator)
{
    static const std::vector<uint8_t> TELLING = {0, 1, 0x7f, 0x80, 0xff, '\n', ' ', '"', '[', '-'};
    for (std::size_t changes = 1 + Draw(generator, 4); changes > 0 && !bytes.empty(); --changes)
    {
        const std::size_t place = Draw(generator, bytes.size());
        const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(place);
        switch (Draw(generator, 6))
        {
        case 0:
            *from = static_cast<uint8_t>(Draw(generator, 256));
            break;
        case 1:
            *from = TELLING[Draw(generator, TELLING.size())];
            break;
        case 2:
            *from = static_cast<uint8_t>(*from ^ (1U << Draw(generator, 8)));
            break;
        case 3: // what is left out moves all that follows
            bytes.erase(from,
                        from + static_cast<std::ptrdiff_t>(Draw(
                                   generator, std::min<std::size_t>(bytes.size() - place, 16))));
            break;
        case 4:
        {
            const std::size_t size =
                Draw(generator, std::min<std::size_t>(bytes.size() - place, 16));
            const std::vector<uint8_t> copied(from, from + static_cast<std::ptrdiff_t>(size));
            bytes.insert(from, copied.begin(), copied.end());
            break;
        }
        default:
            if (Draw(generator, 4) == 0)
            {
                bytes.resize(place);
            }
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    const auto target = GetFuzzTargets().find(argc > 1 ? argv[1] : "");
    const int variants = argc > 2 ? std::atoi(argv[2]) : 0;
    if (target == GetFuzzTargets().end() || variants < 1)
    {
        std::fprintf(stderr, "usage: fuzz-readers TARGET VARIANTS FILE...\n");
        return 2;
    }
    for (int i = 3; i < argc; ++i)
    {
        std::ifstream file(argv[i], std::ios::binary);
        const std::vector<uint8_t> content{std::istreambuf_iterator<char>(file), {}};
        if (!file && content.empty())
        {
            std::fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return 2;
        }
        target->second(content.data(), content.size());
        RandomGenerator generator(1);
        for (int variant = 0; variant < variants; ++variant)
        {
            std::vector<uint8_t> mutated = content;
            Mutate(mutated, generator);
            target->second(mutated.data(), mutated.size());
        }
    }
    std::printf("%d files, %d variants of each: no surprise\n", argc - 3, variants);
    return 0;
}
