/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TESTS_REFUSALS_H
#define COLLAB_TESTS_REFUSALS_H

#include <gmock/gmock.h>
#include <stdexcept>
#include <string>
#include <vector>

/// What is refused, and why
namespace tests
{

/// @return text of the error of a kind that a call throws; empty if it throws none
template <typename Error = std::invalid_argument, typename Call>
std::string
ErrorOf(const Call& call)
{
    try
    {
        call();
    }
    catch (const Error& error)
    {
        return error.what();
    }
    return "";
}

/// Expect that a call throws an error of a kind that contains a text.
template <typename Error = std::invalid_argument, typename Call>
void
ExpectRefused(const std::string& text, const Call& call)
{
    EXPECT_THAT([&] { call(); }, testing::ThrowsMessage<Error>(testing::HasSubstr(text)));
}

/// Expect that a call throws an error of a kind for each of some values.
template <typename Error = std::invalid_argument, typename Value = std::string, typename Call>
void
ExpectEachRefused(const std::vector<Value>& values, const Call& call)
{
    for (const Value& value : values)
    {
        EXPECT_THROW(call(value), Error) << testing::PrintToString(value);
    }
}

} // namespace tests

#endif /* COLLAB_TESTS_REFUSALS_H */
