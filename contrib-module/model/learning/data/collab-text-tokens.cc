/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-text-tokens.h"

#include <algorithm>

namespace ns3
{
namespace collab
{

namespace
{

/// Characters of LEAF's Shakespeare by their tokens
constexpr std::string_view CHARACTERS =
    "\n !\"&'(),-.0123456789:;>?ABCDEFGHIJKLMNOPQRSTUVWXYZ[]abcdefghijklmnopqrstuvwxyz}";
static_assert(CHARACTERS.size() == CHARACTER_COUNT, "one token a character");

/**
 * @param c any byte
 * @return whether it is part of a word
 */
bool
IsWordCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '\'' || static_cast<unsigned char>(c) >= 0x80;
}

} // namespace

bool
Vocabulary::Add(const std::string& word)
{
    return m_tokens.emplace(word, static_cast<int32_t>(Size())).second;
}

int32_t
Vocabulary::Find(const std::string& word) const
{
    const auto found = m_tokens.find(word);
    return found == m_tokens.end() ? UNKNOWN : found->second;
}

uint32_t
Vocabulary::Size() const
{
    return static_cast<uint32_t>(m_tokens.size()) + UNKNOWN + 1;
}

std::vector<std::string>
SplitWords(std::string_view text)
{
    constexpr std::string_view MARKS = ".,!?;";
    std::vector<std::string> words;
    bool inside = false;
    for (char c : text)
    {
        const bool part = IsWordCharacter(c);
        if ((part && !inside) || MARKS.find(c) != std::string_view::npos)
        {
            words.emplace_back();
        }
        if (part || MARKS.find(c) != std::string_view::npos)
        {
            words.back() += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        }
        inside = part;
    }
    return words;
}

std::vector<int32_t>
EncodeWords(std::string_view text, const Vocabulary& vocabulary, std::size_t length)
{
    const std::vector<std::string> words = SplitWords(text);
    const std::size_t kept = std::min(words.size(), length);
    std::vector<int32_t> tokens(length, Vocabulary::PADDING);
    for (std::size_t i = 0; i < kept; ++i)
    {
        tokens[length - kept + i] = vocabulary.Find(words[i]);
    }
    return tokens;
}

int32_t
EncodeCharacter(char character)
{
    const std::size_t place = CHARACTERS.find(character);
    return static_cast<int32_t>(place == std::string_view::npos ? CHARACTERS.find(' ') : place);
}

} // namespace collab
} // namespace ns3
