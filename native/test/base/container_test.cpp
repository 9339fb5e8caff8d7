#include "tunesmith/base/container.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <numeric>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/corpus/vocabulary.h"

namespace tunesmith::container_test {

const std::string kPath = "container_test." + std::to_string(getpid()) + ".bin";

struct Record {
  int32_t word;
  float value;
};

std::string bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void write_sample() {
  ContainerWriter writer(kPath, "test", 2);
  writer.add("numbers", std::vector<int64_t>{1, 2, 3});
  writer.open<Record>("records");
  for (int i = 0; i < 10; ++i) {
    const Record record{i, 0.5f * static_cast<float>(i)};
    writer.append(std::span<const Record>(&record, 1));
  }
  writer.add("empty", std::vector<double>{});
  writer.finish();
}

/// Removes the files of a test, even if it fails.
struct Cleanup {
  ~Cleanup() {
    std::remove(kPath.c_str());
    std::remove((kPath + ".other").c_str());
  }
};

TEST(sections_are_mapped_as_they_were_written) {
  const Cleanup cleanup;
  write_sample();
  const Container container(kPath, "test", 2);
  container.verify();
  const auto numbers = container.section<int64_t>("numbers");
  CHECK(std::accumulate(numbers.begin(), numbers.end(), int64_t{0}) == 6);
  const auto records = container.section<Record>("records");
  CHECK(records.size() == 10);
  CHECK(records[9].word == 9 && records[9].value == 4.5f);
  CHECK(container.section<double>("empty").empty());
  CHECK(container.has("empty") && !container.has("other"));
  CHECK(reinterpret_cast<uintptr_t>(records.data()) % 64 == 0);
  CHECK_THROWS(container.section<int32_t>("numbers"), InputError);
  CHECK_THROWS(container.section<int64_t>("other"), InputError);
}

TEST(pieces_of_a_section_give_the_file_that_the_whole_gives) {
  const Cleanup cleanup;
  std::vector<uint16_t> values(1001);
  std::iota(values.begin(), values.end(), uint16_t{0});
  {
    ContainerWriter writer(kPath, "test", 1);
    writer.add("values", values);
    writer.finish();
  }
  for (size_t piece : {1u, 3u, 7u, 1000u}) {
    ContainerWriter writer(kPath + ".other", "test", 1);
    writer.open<uint16_t>("values");
    for (size_t i = 0; i < values.size(); i += piece)
      writer.append(std::span<const uint16_t>(values).subspan(i, std::min(piece, values.size() - i)));
    writer.finish();
    CHECK(bytes_of(kPath) == bytes_of(kPath + ".other"));
  }
}

TEST(a_writer_without_finish_leaves_nothing) {
  const Cleanup cleanup;
  {
    ContainerWriter(kPath, "test", 1).add("values", std::vector<int32_t>{1});
  }
  CHECK(container_kind(kPath).empty());
  CHECK(access(kPath.c_str(), F_OK) != 0);
}

TEST(values_must_have_the_type_of_their_section) {
  const Cleanup cleanup;
  ContainerWriter writer(kPath, "test", 1);
  const int32_t value = 1;
  CHECK_THROWS(writer.append(std::span<const int32_t>(&value, 1)), InputError);
  writer.open<int64_t>("long");
  CHECK_THROWS(writer.append(std::span<const int32_t>(&value, 1)), InputError);
}

TEST(a_file_cut_at_any_length_is_refused) {
  const Cleanup cleanup;
  write_sample();
  const std::string whole = bytes_of(kPath);
  for (size_t length = 0; length < whole.size(); ++length) {
    write_bytes(kPath, whole.substr(0, length));
    CHECK_THROWS(Container(kPath, "test", 2), InputError);
  }
}

TEST(flipped_bytes_are_detected_or_change_no_section) {
  const Cleanup cleanup;
  write_sample();
  const std::string whole = bytes_of(kPath);
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x80);
    write_bytes(kPath, damaged);
    try {
      const Container container(kPath, "test", 2);
      container.verify();
      CHECK(container.section<int64_t>("numbers")[2] == 3);
      CHECK(container.section<Record>("records")[9].word == 9);
    } catch (const InputError&) {
    }
  }
}

TEST(a_vocabulary_is_mapped_and_survives_a_damaged_hash_table) {
  const Cleanup cleanup;
  corpus::Vocabulary vocabulary;
  for (int i = 0; i < 1000; ++i) vocabulary.intern("word" + std::to_string(i));
  vocabulary.intern("");
  const auto write = [&](int32_t fill) {
    ContainerWriter writer(kPath, "test", 1);
    if (fill == 0) {
      corpus::write_vocabulary(writer, "v", vocabulary.names().view());
    } else {  // every slot is taken, by a number that may not exist
      writer.add<char>("v.blob", vocabulary.names().view().blob);
      writer.add<int64_t>("v.offsets", vocabulary.names().view().offsets);
      writer.add("v.slots", std::vector<int32_t>(2048, fill));
    }
    writer.finish();
  };
  write(0);
  const Container container(kPath, "test", 1);
  const corpus::VocabularyView view(container, "v");
  CHECK(view.size() == 1001);
  for (int i = 0; i < 1000; ++i) CHECK(view.find("word" + std::to_string(i)) == i);
  CHECK(view.find("") == 1000);
  CHECK(view.find("other") == corpus::VocabularyView::kUnknown);
  CHECK(view.word(7) == "word7");
  CHECK_THROWS(view.word(-1), InputError);
  CHECK_THROWS(view.word(1001), InputError);
  CHECK_THROWS(corpus::VocabularyView(container, "w"), InputError);
  for (int32_t fill : {5, 100000}) {
    write(fill);
    const Container damaged(kPath, "test", 1);
    CHECK(corpus::VocabularyView(damaged, "v").find("other") == corpus::VocabularyView::kUnknown);
  }
}

TEST(an_empty_vocabulary_knows_no_word) {
  const Cleanup cleanup;
  {
    ContainerWriter writer(kPath, "test", 1);
    corpus::write_vocabulary(writer, "v", corpus::Vocabulary().names().view());
    writer.finish();
  }
  const Container container(kPath, "test", 1);
  CHECK(corpus::VocabularyView(container, "v").find("a") == corpus::VocabularyView::kUnknown);
  CHECK(corpus::VocabularyView().find("a") == corpus::VocabularyView::kUnknown);
}

}  // namespace tunesmith::container_test
