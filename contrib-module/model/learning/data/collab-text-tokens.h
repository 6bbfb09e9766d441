/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TEXT_TOKENS_H
#define COLLAB_TEXT_TOKENS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief Words and their tokens.
 *
 * Token 0 fills up short texts, token 1 stands for every unknown word, words follow from token 2 in
 * the order in which they were added.
 */
class Vocabulary
{
  public:
    static constexpr int32_t PADDING = 0; //!< token that fills up short texts
    static constexpr int32_t UNKNOWN = 1; //!< token of a word that is not in the vocabulary

    /**
     * @param word to add
     * @return false if it was there already
     */
    bool Add(const std::string& word);

    /**
     * @param word any
     * @return its token, or UNKNOWN
     */
    int32_t Find(const std::string& word) const;

    /// @return number of tokens: words and the two special ones
    uint32_t Size() const;

  private:
    std::unordered_map<std::string, int32_t> m_tokens; //!< of the words; only looked up
};

/**
 * @brief Take a text apart into words.
 *
 * A word is a longest sequence of letters, digits, underscores and apostrophes, or a single one of
 * . , ! ? ; as in the LEAF benchmark (Caldas et al., arXiv:1812.01097). All else separates words.
 * Letters of ASCII become lower case, as those of the word vectors are; bytes beyond ASCII are
 * letters.
 *
 * @param text in UTF-8
 * @return its words
 */
std::vector<std::string> SplitWords(std::string_view text);

/**
 * @brief Turn a text into so many tokens of words.
 *
 * A longer text loses its end. A shorter one is filled up in front, so that the last step of a
 * recurrent model reads the last word.
 *
 * @param text in UTF-8
 * @param vocabulary of words
 * @param length number of tokens
 * @return the tokens
 */
std::vector<int32_t> EncodeWords(std::string_view text,
                                 const Vocabulary& vocabulary,
                                 std::size_t length);

/// Number of characters that the character models of the LEAF benchmark know
constexpr uint32_t CHARACTER_COUNT = 80;

/**
 * @param character any byte
 * @return its token, 0 to 79: its place among newline, space, !"&'(),-. digits :;>? A to Z [] a to
 * z }; any other character counts as a space
 */
int32_t EncodeCharacter(char character);

} // namespace collab
} // namespace ns3

#endif /* COLLAB_TEXT_TOKENS_H */
