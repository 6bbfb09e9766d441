/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_MUTATION_SWITCH_H
#define COLLAB_MUTATION_SWITCH_H

/// @file
/// Chooses which of the mutants that are woven into a copy of the module is on. Included by woven
/// sources and by the listener of tests only.

#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace collab_mutation
{

constexpr std::size_t MOST_MUTANTS = 4096; //!< in one copy

/// The mutant that is on, and which were reached since somebody cleared the marks
struct State
{
    int active = -1;               //!< COLLAB_MUTANT; none if negative
    volatile unsigned char* marks; //!< one byte per mutant; of a file if there is one

    /// Marks are in the file COLLAB_MUTATION_MARKS, so that child processes share them
    State()
    {
        static unsigned char own[MOST_MUTANTS];
        marks = own;
        if (const char* number = std::getenv("COLLAB_MUTANT"))
        {
            active = std::atoi(number);
        }
        if (const char* path = std::getenv("COLLAB_MUTATION_MARKS"))
        {
            const int file = open(path, O_RDWR | O_CLOEXEC);
            void* shared = MAP_FAILED;
            if (file >= 0)
            {
                shared = mmap(nullptr, MOST_MUTANTS, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
                close(file);
            }
            if (shared != MAP_FAILED)
            {
                marks = static_cast<unsigned char*>(shared);
            }
        }
    }
};

/// @return the state of this process
inline State&
GetState()
{
    static State state;
    return state;
}

/// @brief Ask for a mutant where it is woven in.
/// @param mutant its number
/// @return whether it is on
inline bool
IsOn(int mutant)
{
    State& state = GetState();
    state.marks[mutant] = 1;
    return state.active == mutant;
}

} // namespace collab_mutation

#endif /* COLLAB_MUTATION_SWITCH_H */
