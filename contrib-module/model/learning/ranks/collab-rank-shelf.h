/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_RANK_SHELF_H
#define COLLAB_RANK_SHELF_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

namespace ns3::collab
{

/// SHA-256 of some content
using RankDigest = std::array<uint8_t, 32>;

/// @param bytes any bytes
/// @return their digest
RankDigest ComputeRankDigest(std::string_view bytes);

/**
 * @brief What a rank keeps of what it was sent.
 *
 * Sender and receiver have one each. Both use and add the same contents in the same order, so that
 * both drop the same ones: the sender knows what the receiver has without a question.
 */
class RankShelf
{
  public:
    /// @param capacity bytes beyond which the contents that were not used for longest are dropped
    explicit RankShelf(std::size_t capacity = DEFAULT_CAPACITY);

    /// @brief Look for a content, which is the newest from then on.
    /// @param digest of the content
    /// @return the object, which is null at the sender; a null pointer if it is not there
    const std::shared_ptr<const void>* Find(const RankDigest& digest);

    /// @param digest of a content that is not there
    /// @param size of the content [byte]
    /// @param isKept whether it is never dropped
    /// @param object made of it; null at the sender
    void Add(const RankDigest& digest,
             std::size_t size,
             bool isKept,
             std::shared_ptr<const void> object);

  private:
    static constexpr std::size_t DEFAULT_CAPACITY = std::size_t{256} << 20; //!< [byte]

    /// A content
    struct Item
    {
        RankDigest digest;                  //!< of it
        std::size_t size;                   //!< that counts [byte]; 0 if it is kept
        std::shared_ptr<const void> object; //!< made of it
    };

    std::size_t m_capacity;                                     //!< [byte]
    std::size_t m_size = 0;                                     //!< of what can be dropped [byte]
    std::list<Item> m_items;                                    //!< the newest first
    std::map<RankDigest, std::list<Item>::iterator> m_byDigest; //!< where each is
};

/// Digests of objects that nobody changes, each computed once as long as the object lives
class RankDigests
{
  public:
    /// @param object any object
    /// @return its digest, if it is known
    std::optional<RankDigest> Find(const std::shared_ptr<const void>& object);
    /// @param object any object
    /// @param digest its digest
    void Add(const std::shared_ptr<const void>& object, const RankDigest& digest);

  private:
    using Owner = std::weak_ptr<const void>; //!< does not keep the object

    std::mutex m_access;                                         //!< of what follows
    std::map<Owner, RankDigest, std::owner_less<Owner>> m_known; //!< by object
    std::size_t m_next = 1024; //!< size at which to forget dead ones
};

} // namespace ns3::collab

#endif /* COLLAB_RANK_SHELF_H */
