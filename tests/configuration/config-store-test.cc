/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"
#include "support/temporary-folder.h"

#include "ns3/config-store.h"
#include "ns3/config.h"
#include "ns3/d2d-net-device.h"
#include "ns3/string.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Contains;
using ::testing::Key;
namespace fs = std::filesystem;

namespace
{

/// Values by "default NAME" or "value PATH"
using Values = std::map<std::string, std::string>;

/// @return another value that it may have; empty if this test knows none
std::string
ChangeValue(const TypeId::AttributeInformation& attribute, const std::string& text)
{
    const std::string type = attribute.checker->GetValueTypeName();
    std::vector<std::string> candidates;
    if (type == "ns3::EnumValue" || type.rfind("ns3::EnumValue<", 0) == 0)
    {
        std::istringstream names(attribute.checker->GetUnderlyingTypeInformation());
        for (std::string name; std::getline(names, name, '|');)
        {
            candidates.push_back(name);
        }
    }
    else if (type == "ns3::BooleanValue")
    {
        candidates = {"true", "false"};
    }
    else if (type == "ns3::TimeValue")
    {
        candidates = {"1234567ns"};
    }
    else if (type == "ns3::UintegerValue")
    {
        candidates = {"3"};
    }
    else if (type == "ns3::DoubleValue")
    {
        candidates = {"0.375", "1.375"};
    }
    for (const std::string& candidate : candidates)
    {
        if (candidate != text && attribute.checker->CreateValidValue(StringValue(candidate)))
        {
            return candidate;
        }
    }
    return "";
}

/// A network whose configuration is stored and loaded
class ConfigStoreTest : public tests::DeviceNetwork
{
  protected:
    void
    SetUp() override
    {
        fs::create_directories(m_folder.path);
        MakeDevices({});
    }

    void
    TearDown() override
    {
        Config::Reset();
        DeviceNetwork::TearDown();
    }

    /// Store or load all defaults and all attributes of objects.
    void
    UseStore(const std::string& mode)
    {
        Config::SetDefault("ns3::ConfigStore::Filename", StringValue(m_path));
        Config::SetDefault("ns3::ConfigStore::FileFormat", StringValue("RawText"));
        Config::SetDefault("ns3::ConfigStore::Mode", StringValue(mode));
        ConfigStore store;
        store.ConfigureDefaults();
        store.ConfigureAttributes();
    }

    /// @return description of the attribute at the end of a path or of a default's name
    static bool
    FindAttribute(const std::string& name, TypeId::AttributeInformation* attribute)
    {
        const auto type = name.rfind("ns3::collab::");
        const bool path = name[0] == '/';
        const auto end = path ? name.find('/', type) : name.rfind("::");
        const auto last = path ? name.rfind('/') + 1 : name.rfind("::") + 2;
        if (path && end != last - 1)
        {
            return false; // of an object of another module
        }
        return TypeId::LookupByName(name.substr(type, end - type))
            .LookupAttributeByName(name.substr(last), attribute);
    }

    /// @return whether a default or a path is that of an object
    static bool
    IsPointer(const std::string& name)
    {
        TypeId::AttributeInformation attribute;
        return FindAttribute(name, &attribute) &&
               attribute.checker->GetValueTypeName() == "ns3::PointerValue";
    }

    /// Store, and read what the file says of the module's types and objects.
    Values
    Save()
    {
        UseStore("Save");
        std::ifstream file(m_path);
        Values values;
        std::string what;
        std::string name;
        for (std::string text; file >> what >> name && std::getline(file, text);)
        {
            // A default that was loaded as the text of an object is an object, which has no text
            if (name.find("ns3::collab::") != std::string::npos && !IsPointer(name))
            {
                const auto begin = text.find('"') + 1;
                values[what + " " + name] = text.substr(begin, text.rfind('"') - begin);
            }
        }
        return values;
    }

    /// Change every value that there is, and return how many.
    static Values
    ChangeAll(const Values& values)
    {
        Values changed;
        for (const auto& [what, text] : values)
        {
            const std::string name = what.substr(what.find(' ') + 1);
            TypeId::AttributeInformation attribute;
            if (!FindAttribute(name, &attribute))
            {
                continue;
            }
            const std::string other = ChangeValue(attribute, text);
            if (other.empty())
            {
                continue;
            }
            changed[what] = text;
            if (name[0] == '/')
            {
                Config::Set(name, StringValue(other));
            }
            else
            {
                Config::SetDefault(name, StringValue(other));
            }
        }
        return changed;
    }

    const tests::OwnFolder m_folder;
    const fs::path m_path = m_folder.path / "values.txt";
};

} // namespace

TEST_F(ConfigStoreTest, AllValuesComeBack)
{
    const Values saved = Save();
    const std::string radio = "/$ns3::NodeListPriv/NodeList/0/$ns3::Node/DeviceList/0/"
                              "$ns3::collab::D2dNetDevice/";
    EXPECT_THAT(saved, Contains(Key("value " + radio + "Mtu")));
    EXPECT_THAT(saved, Contains(Key("value " + radio + "Phy/$ns3::collab::D2dPhy/FragmentSize")));
    EXPECT_THAT(saved, Contains(Key("default ns3::collab::Transport::PayloadMode")));

    fs::copy_file(m_path, m_path.string() + ".kept", fs::copy_options::overwrite_existing);
    const Values changed = ChangeAll(saved);
    EXPECT_GT(changed.size(), 80U);
    const Values between = Save();
    for (const auto& [what, text] : changed)
    {
        EXPECT_NE(between.at(what), text) << what << " was not changed";
    }

    fs::rename(m_path.string() + ".kept", m_path);
    UseStore("Load");
    EXPECT_EQ(Save(), saved);
}

TEST_F(ConfigStoreTest, EveryAttributeOfTheRadioIsStored)
{
    const Values saved = Save();
    for (const TypeId& type : {D2dNetDevice::GetTypeId(),
                               D2dPhy::GetTypeId(),
                               D2dMac::GetTypeId(),
                               D2dNeighborDiscovery::GetTypeId(),
                               D2dChannel::GetTypeId()})
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation attribute = type.GetAttribute(i);
            if (attribute.checker->GetValueTypeName() != "ns3::PointerValue")
            {
                EXPECT_THAT(saved, Contains(Key("default " + type.GetAttributeFullName(i))));
            }
        }
    }
}
