/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-matrix-file.h"
#include "ns3/d2d-matrix-outage-model.h"
#include "ns3/d2d-matrix-rss-model.h"

namespace ns3::collab::tests
{
namespace
{

class MatrixFileTest : public FileTest
{
  protected:
    /// @return what the error says after the file's name
    std::string
    ReadingErrorOf(const std::string& text) const
    {
        const std::string error = ErrorOf<DataFileError>([&] { ReadD2dMatrixFile(Write(text)); });
        EXPECT_EQ(error.rfind(m_path + ": ", 0), 0U) << error;
        return error.substr(std::min(error.size(), m_path.size() + 2));
    }
};

TEST_F(MatrixFileTest, ReadsNumbersCommentsAndBlanks)
{
    const D2dMatrixFile file = ReadD2dMatrixFile(
        Write("# from a campaign\n0, 1.5e-3 ,2\r\n\n  # more, 1, 2\n\t-3,4.25,+.5\r\n6,7,8"));
    EXPECT_EQ(file.values,
              (std::vector<std::vector<double>>{{0, 1.5e-3, 2}, {-3, 4.25, 0.5}, {6, 7, 8}}));
    EXPECT_EQ(file.lines, (std::vector<std::size_t>{2, 5, 6}));
}

TEST_F(MatrixFileTest, NamesWhatIsNotANumber)
{
    EXPECT_EQ(ReadingErrorOf("# a\n1,2\n3,four\n"),
              "line 3, column 2: found 'four', expected a finite number");
    for (const std::string cell :
         {"", "nan", "NaN", "inf", "-inf", "1e999", "1 2", "1;2", "0x10", "1.2.3", "1f", "--1"})
    {
        EXPECT_EQ(ReadingErrorOf("1,2\n" + cell + ",4\n"),
                  "line 2, column 1: found '" + cell + "', expected a finite number");
    }
    EXPECT_EQ(ReadingErrorOf("1,2,\n"), "line 1, column 3: found '', expected a finite number");
}

TEST_F(MatrixFileTest, NamesAWrongShape)
{
    EXPECT_EQ(ReadingErrorOf("#\n1,2\n3\n"), "line 3: found 1 numbers, expected 2 as in line 2");
    EXPECT_EQ(ReadingErrorOf("1,2\n3,4\n5,6\n"),
              "line 3: found 3 rows of 2 numbers, expected a square matrix");
    EXPECT_EQ(ReadingErrorOf("1,2,3\n3,4,5\n"),
              "line 2: found 2 rows of 3 numbers, expected a square matrix");
    EXPECT_EQ(ReadingErrorOf("# nothing\n"),
              "line 1: found 0 rows of 0 numbers, expected a square matrix");
    EXPECT_THAT(ErrorOf<DataFileError>([&] { ReadD2dMatrixFile(m_path + ".none"); }),
                HasSubstr("cannot be opened"));
    EXPECT_THROW(ReadD2dMatrixFile(testing::TempDir()), DataFileError);
}

/// Matrices of the models.
class LinkMatrixTest : public MatrixFileTest
{
  protected:
    /// @return a model of it
    Ptr<D2dMatrixRssModel>
    MakeRss(const std::string& text) const
    {
        return CreateObjectWithAttributes<D2dMatrixRssModel>("FileName", StringValue(Write(text)));
    }

    /// @return the power at node 1 of what node 0 sends [W]
    static double
    Ask(Ptr<const D2dMatrixRssModel> model)
    {
        return model->GetRssW(0, 1);
    }
};

TEST_F(LinkMatrixTest, RowIsTheReceiver)
{
    Ptr<D2dMatrixRssModel> model = MakeRss("0,0.1\n0.2,0\n");
    EXPECT_EQ(model->GetRssW(0, 1), 0.2);
    EXPECT_EQ(model->GetRssW(1, 0), 0.1);
}

TEST_F(LinkMatrixTest, LastOfFileAndMatrixHolds)
{
    Ptr<D2dMatrixRssModel> model = MakeRss("0,0.1\n0.2,0\n");
    model->SetMatrix({{0, 3}, {4, 0}});
    EXPECT_EQ(Ask(model), 4);
    model->SetAttribute("FileName", StringValue(m_path));
    EXPECT_EQ(Ask(model), 0.2);
    StringValue name;
    model->GetAttribute("FileName", name);
    EXPECT_EQ(name.Get(), m_path);
}

TEST_F(LinkMatrixTest, ValuesAreCheckedOffTheDiagonal)
{
    EXPECT_EQ(Ask(MakeRss("-1,0.1\n0.2,0\n")), 0.2);
    EXPECT_EQ(ErrorOf<DataFileError>([&] { Ask(MakeRss("#\n1,0\n0.2,1\n")); }),
              m_path + ": line 2, column 2: found 0, expected a positive power [W]");
    EXPECT_EQ(ErrorOf<DataFileError>([&] { Ask(MakeRss("1,1\n-0.2,1\n")); }),
              m_path + ": line 2, column 1: found -0.2, expected a positive power [W]");

    Ptr<D2dMatrixOutageModel> outage = CreateObject<D2dMatrixOutageModel>();
    outage->SetAttribute("FileName", StringValue(Write("0,1\n1.01,0\n")));
    const D2dSignal signal = {0, 1, 1, 1, 0, 1};
    EXPECT_EQ(ErrorOf<DataFileError>([&] { outage->GetOutageProbability(signal); }),
              m_path + ": line 2, column 1: found 1.01, expected a probability in [0, 1]");
    outage->SetMatrix({{0, -0.5}, {0, 0}});
    EXPECT_EQ(ErrorOf<UserError>([&] { outage->GetOutageProbability(signal); }),
              "ns3::collab::D2dMatrixOutageModel: matrix: row 0, column 1: found -0.5, expected a "
              "probability in [0, 1]");
    outage->SetMatrix({{0, std::nan("")}, {0, 0}});
    EXPECT_THROW(outage->GetOutageProbability(signal), UserError);
    outage->SetMatrix({{0, 0}, {1, 0}});
    EXPECT_EQ(outage->GetOutageProbability(signal), 1);
}

TEST_F(LinkMatrixTest, ShapeOfAGivenMatrixIsChecked)
{
    Ptr<D2dMatrixRssModel> model = CreateObject<D2dMatrixRssModel>();
    EXPECT_EQ(ErrorOf<UserError>([&] { Ask(model); }),
              "ns3::collab::D2dMatrixRssModel: there is no matrix; set FileName or call SetMatrix");
    model->SetMatrix({{1, 1}, {1}});
    EXPECT_THAT(ErrorOf<UserError>([&] { Ask(model); }),
                HasSubstr("row 1 has 1 numbers, expected 2"));
}

TEST_F(LinkMatrixTest, SymmetryIsAPromiseThatIsChecked)
{
    Ptr<D2dMatrixRssModel> model = MakeRss("0,1,2\n1,0,3\n2,3.5,0\n");
    EXPECT_EQ(Ask(model), 1);
    model->SetAttribute("Symmetric", BooleanValue(true));
    EXPECT_EQ(ErrorOf<DataFileError>([&] { Ask(model); }),
              m_path +
                  ": found 3 at line 2, column 3 but 3.5 at line 3, column 2, expected the same "
                  "as Symmetric is set");
    model->SetMatrix({{0, 5}, {4, 0}});
    EXPECT_THAT(ErrorOf<UserError>([&] { Ask(model); }),
                HasSubstr("found 5 at row 0, column 1 but 4 at row 1, column 0"));
    model->SetMatrix({{1, 5}, {5, 2}});
    EXPECT_EQ(Ask(model), 5);
}

TEST_F(LinkMatrixTest, NodesAreNumberedFrom0UnlessTheyAreGiven)
{
    NodeContainer others;
    others.Create(2); // 0 and 1
    NodeContainer nodes;
    nodes.Create(2); // 2 and 3
    Ptr<D2dMatrixRssModel> model = CreateObject<D2dMatrixRssModel>();
    model->SetMatrix({{0, 1}, {2, 0}});
    EXPECT_EQ(
        ErrorOf<UserError>([&] { model->GetRssW(0, 2); }),
        "ns3::collab::D2dMatrixRssModel: node 2 has no row in the 2 x 2 matrix, whose rows are "
        "of nodes 0 to 1; each node with a radio needs a row and a column, a server too, whose "
        "number follows those of the devices (see SetNodes)");
    model->SetNodes(NodeContainer(nodes.Get(1), nodes.Get(0)));
    EXPECT_EQ(model->GetRssW(2, 3), 1);
    EXPECT_EQ(model->GetRssW(3, 2), 2);
    EXPECT_EQ(
        ErrorOf<UserError>([&] { model->GetRssW(1, 2); }),
        "ns3::collab::D2dMatrixRssModel: node 1 has no row in the 2 x 2 matrix, whose rows are "
        "of the nodes given to SetNodes");
    model->SetNodes(NodeContainer(others, nodes));
    EXPECT_THAT(ErrorOf<UserError>([&] { model->GetRssW(0, 1); }),
                HasSubstr("found 2 x 2 numbers, expected 4 x 4 as SetNodes gave 4 nodes"));
}

} // namespace
} // namespace ns3::collab::tests
