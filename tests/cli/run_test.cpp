// SPDX-License-Identifier: Apache-2.0
// `fred run` as a user meets it. One small switch is Verilated and used by all cases that run one.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/support.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

std::string npy(const std::string& header, const std::string& data, int version = 1) {
  std::string text("\x93NUMPY", 6);
  text += static_cast<char>(version);
  text += '\0';
  text += static_cast<char>(header.size() & 0xffU);
  text += static_cast<char>(header.size() >> 8);
  if (version > 1) text += std::string(2, '\0');
  return text + header + data;
}

std::string int32_header(const std::string& shape) {
  return "{'descr': '<i4', 'fortran_order': False, 'shape': " + shape + ", }\n";
}

/// A run's JSON without what depends on the machine.
json steady(json result) {
  result.erase("sim_cycles_per_second");
  result.erase("build_seconds");
  return result;
}

}  // namespace

TEST_CASE("run --counters: a table, and in the JSON") {
  // The switch that test_switch has counters of too.
  const std::string command =
      "run --radix 4 --dtype int32 --lanes 2 --ops sum --descriptors 5 --vcs 2 --counters --groups 0,1,3 --bytes 800 "
      "--collective allreduce/vc1,broadcast" +
      cache_option();
  const json result = parsed(command + "--json -");
  const json& counters = result["counters"];
  REQUIRE(counters["ports"].size() == 4);
  REQUIRE(counters["descriptors"].size() == 5);
  CHECK(counters["ports"][1][1] == json{{"beats_in", 100}, {"beats_out", 100}});
  CHECK(counters["ports"][0][0] == json{{"beats_in", 100}, {"beats_out", 100}});  // the root
  CHECK(counters["ports"][1][0] == json{{"beats_in", 0}, {"beats_out", 100}});
  CHECK(counters["ports"][2][1] == json{{"beats_in", 0}, {"beats_out", 0}});
  CHECK(counters["descriptors"][0] ==
        json{{"launches", 200}, {"wait_data", 0}, {"wait_egress", 0}, {"wait_arbitration", 0}});
  CHECK(counters["descriptors"][4]["launches"] == 0);
  const Result text = fred(command);
  CHECK(text.code == 0);
  CHECK(text.out.find("descriptor        launches") != std::string::npos);
  CHECK(text.out.find("         0             200") != std::string::npos);
}

TEST_CASE("run --static") {
  const std::string small = "--radix 3 --middle 2 --dtype int32 --vcs 1 --static --groups '2,0' ";
  refused("run " + small + "--vectors x", 2, {"--vectors", "--static"});
  refused("run " + small + "--collective allreduce,send", 2, {"port 0", "--tdest"});
  refused("run " + small + "--descriptors 2", 2, {"--descriptors", "not with --static"});
  refused("run --radix 3 --tdest", 2, {"--tdest requires --static"});
  refused("synth --target osu018 --radix 3 --static --groups 0,1 --power -o x", 2, {"--power", "--static"});
  const json result = parsed(
      "run --radix 3 --middle 2 --dtype int32 --vcs 1 --static --groups '2,0;1,0' --collective "
      "reduce@0/root1,alltoall@0,allreduce@1 --tdest --bytes 40 --json -" +
      cache_option());
  CHECK(result["mismatches"] == 0);
  CHECK(result["collectives"].size() == 3);
  CHECK(result["collectives"][1]["kind"] == "alltoall");
}

TEST_CASE("run: bad input is found before anything is built") {
  const std::string cache = " --cache " + quoted(scratch("untouched").string());
  const auto no = [&](const std::string& options, const std::vector<std::string>& parts, int code = 2) {
    refused("run " + kSmall + options + cache, code, parts);
  };
  no("--collective AllReduce", {"'AllReduce'", "allreduce, reduce, broadcast"});
  no("--collective allreduce,", {"''", "allowed"});
  no("--collective allreduce@1", {"'1'", "'allreduce@1'", "0..0"});
  no("--collective allreduce@-1", {"'-1'", "0..0"});
  no("--vcs 1 --vc 1", {"--vc 1", "0..0", "--vcs gives the switch more"});
  no("--vcs 4 --vc 4", {"--vc 4", "0..3"});
  no("--vcs 4 --vc -1", {"--vc -1", "0..3"});
  no("--vcs 4 --collective allreduce@0/vc4", {"VC '4'", "'allreduce@0/vc4'", "0..3"});
  no("--vcs 1 --collective allreduce/vc1", {"VC '1'", "'allreduce/vc1'", "0..0", "--vcs"});
  no("--collective allreduce/from-5", {"cycle '-5'", "'allreduce/from-5'", "0..1000000000"});
  no("--collective allreduce/at5", {"'/at5'", "'allreduce/at5'", "/vcN", "/fromN"});
  no("--op prod", {"'prod'", "sum, min"});
  no("--op max", {"max", "not built in", "--ops"});
  no("--collective reduce --root 3", {"root 3", "0..2"});
  const std::string own = quoted(scratch("").string());
  no("--data " + own + " --out " + own, {"--out", "the folder of --data"});
  no("--collective scatter --root -1", {"root -1", "0..2"});
  no("--collective alltoall --alltoall-tables 0", {"all-to-all table", "--alltoall-tables 1"});
  no("--collective alltoall --flows '0>1'", {"alltoall needs a group", "0>1"});
  no("--json /nonexistent/x.json", {"--json", "no folder /nonexistent"});
  no("--out /proc/self/status/x", {"--out", "no folder"});
  no("--collective barrier@0,barrier@0,barrier@0", {"the design has 2", "--descriptors allows up to 64"});
  no("--groups 0,3", {"'3'", "0..2"});
  no("--groups 0 --flows '0>1'", {"--flows", "--groups"});
  no("--bytes 7", {"7 bytes", "int32"});
  no("--bytes 1e3", {"--bytes", "1e3"});
  no("--bytes 2000000000", {"--bytes 2000000000", "0..1073741824"});
  no("--packet 0", {"--packet 0", "1.."});
  no("--seed -1", {"--seed", "'-1'", "0..18446744073709551615"});
  no("--seed 18446744073709551616", {"--seed", "'18446744073709551616'", "0..18446744073709551615"});
  no("--bytes -4", {"--bytes", "'-4'", "0.."});
  no("--root 1.5", {"--root", "'1.5'", "whole numbers"});
  no("--stall-in 1:0.5,1:0.2", {"--stall-in", "port 1 is named twice"});
  no("--stall-in 1", {"--stall-in", "'1'", "0..0.95"});
  no("--stall-out nan", {"--stall-out", "'nan'", "0..0.95"});
  no("--stall-in 0.5,3:0.1", {"'3'", "0..2"});
  no("--convert", {"--convert needs --data"});
  no("--data x --bytes 4", {"--bytes", "--data"});
  no("--data " + quoted(scratch("nowhere").string()), {"nowhere/rank00.npy", "no such file"});
  const Result route = fred("run --radix 6 --middle 2 --groups '0,2;1,4;3,5' --one-round" + cache);
  CHECK(route.code == 3);
  CHECK(route.err.find("cannot be routed together") != std::string::npos);
  CHECK(route.err.find("--one-round") != std::string::npos);
  CHECK(!fs::exists(scratch("untouched")));
}

TEST_CASE("run: hostile .npy files") {
  const std::string two("\x01\0\0\0\x02\0\0\0", 8);
  const auto no = [](const std::string& text, const std::string& reason) {
    write("npy/rank00.npy", text);
    refused("run " + kSmall + "--data " + quoted(scratch("npy").string()), 2, {"rank00.npy", reason});
  };
  no("", "truncated");
  no("\x93NUMPX1234567890", "magic");
  no(npy(int32_header("(2,)"), two, 4), "version 4");
  no(npy(int32_header("(2,)"), two.substr(0, 5)), "needs 8 bytes of data, the file has 5");
  no(npy(int32_header("(2,)"), two + "x"), "the file has 9");
  no(npy(int32_header("(2,)"), two).substr(0, 30), "truncated in the header");
  no(npy(int32_header("(18446744073709551615, 4)"), two), "too many elements");
  no(npy(int32_header("(99999999999999999999,)"), two), "not a number");
  no(npy(int32_header("(-2,)"), two), "not a number");
  no(npy(std::string(60, '\xff'), two), "bad header");
  no(npy("{'descr': '>i4', 'fortran_order': False, 'shape': (2,), }\n", two), "'>i4' is not supported");
  no(npy("{'descr': '\x1b[31m', 'fortran_order': False, 'shape': (2,), }\n", two), "'?[31m' is not supported");
  no(npy("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (2,), }\n", two), "structured");
  no(npy("{'descr': '<i4', 'fortran_order': True, 'shape': (1, 2), }\n", two), "Fortran");
  no(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", two), "use --dtype fp32");
  // One rank's file is shorter.
  for (const char* name : {"npy/rank00.npy", "npy/rank01.npy"}) write(name, npy(int32_header("(2,)"), two));
  write("npy/rank02.npy", npy(int32_header("(1,)"), two.substr(0, 4)));
  refused("run " + kSmall + "--data " + quoted(scratch("npy").string()), 2, {"4 bytes", "8", "equal sizes"});
  // A folder and a pipe in the place of a file.
  fs::remove(scratch("npy/rank00.npy"));
  fs::create_directory(scratch("npy/rank00.npy"));
  refused("run " + kSmall + "--data " + quoted(scratch("npy").string()), 2, {"rank00.npy"});
}

TEST_CASE("run: missing tools are exit code 4 and name the package") {
  const std::string options = "run " + kSmall + "--cache " + quoted(scratch("tools").string());
  const Result none = fred(options, "PATH=/nonexistent");
  CHECK(none.code == 4);
  CHECK(none.err.find("apt-get install verilator") != std::string::npos);
  // A cache that cannot be made.
  const fs::path file = write("not-a-folder", "x");
  const Result cache = fred("run " + kSmall + "--cache " + quoted(file.string()));
  CHECK(cache.code == 4);
  CHECK(cache.err.find("--cache") != std::string::npos);
}

TEST_CASE("run: every collective, JSON, and the same cycles every time") {
  const std::string all = "allreduce,reduce,broadcast,allgather,reducescatter,gather,scatter,send,barrier,alltoall";
  const std::string options = run("--collective " + all + " --bytes 100 --stall-in 0.5,1:0.9 --stall-out 0.3 --json -");
  const json result = parsed(options);
  CHECK(result["radix"] == 3);
  CHECK(result["middle"] == 3);
  CHECK(result["dtype"] == "int32");
  CHECK(result["lanes"] == 1);
  CHECK(result["vcs"] == 4);
  CHECK(result["engine"] == "verilator");
  CHECK(result["seed"] == 1);
  CHECK(result["mismatches"] == 0);
  CHECK(result["zero_load_latency"] == 7);
  CHECK(result["build_seconds"].is_number());
  CHECK(result["sim_cycles_per_second"].is_number());
  REQUIRE(result["collectives"].size() == 10);
  for (const json& row : result["collectives"]) {
    CAPTURE(row.dump());
    CHECK(row["groups"] == json::parse("[[0,1,2]]"));
    CHECK(row["vc"] == 0);
    CHECK(row["start"] == 0);
    CHECK(row["mismatches"] == 0);
    CHECK(row["payload_bytes"] == (row["kind"] == "barrier" ? 0 : 100));
    CHECK(row["cycles"].get<int>() >= row["beats"].get<int>());
    CHECK(row["first_beat_latency"].get<int>() >= 7);
    CHECK(row["efficiency"].get<double>() == doctest::Approx(row["beats"].get<double>() / row["cycles"].get<double>()));
  }
  const json again = parsed(options);
  CHECK(again["build_seconds"] == 0);  // from the cache
  CHECK(steady(again) == steady(result));
  CHECK(steady(parsed(options + " --seed 2")) != steady(result));
}

TEST_CASE("run: a collective starts at its cycle") {
  const json result = parsed(run("--bytes 64 --collective allreduce@0,allreduce@0/vc0/from300 --json -"));
  CHECK(result["mismatches"] == 0);
  REQUIRE(result["collectives"].size() == 2);
  CHECK(result["collectives"][1]["start"] == 300);
  // Nothing is in the way of the later one.
  for (const json& row : result["collectives"]) CHECK(row["cycles"] == result["zero_load_latency"].get<int>() + 16);
  const Result text = fred(run("--bytes 64 --collective allreduce@0,barrier@0/from300"));
  CHECK(text.out.find("barrier/from300 ") != std::string::npos);
}

TEST_CASE("run: an idle switch has the latency that is promised") {
  const json result = parsed(run("--bytes 4000 --json -"));
  CHECK(result["collectives"][0]["first_beat_latency"] == result["zero_load_latency"]);
  CHECK(result["collectives"][0]["beats"] == 1000);
  CHECK(result["collectives"][0]["cycles"] == 1007);
}

TEST_CASE("run: small, odd and stalled") {
  for (const std::string options :
       {"--collective allreduce,allgather,reducescatter,scatter,send,alltoall --bytes 0",
        "--collective allreduce,reducescatter,alltoall --bytes 4 --packet 1",
        "--collective broadcast,gather,scatter,send,alltoall,allgather --bytes 7 --packet 5 --root 2",
        "--collective allreduce,allgather,reducescatter,gather,alltoall --groups 1 --bytes 40",
        "--collective allreduce@0,alltoall@1,barrier,send@1,broadcast@0 --groups '2,0;1' --bytes 36",
        "--collective allreduce,allgather,reducescatter,scatter,send --flows '0,1>2;2>0,1' --bytes 24",
        "--collective allreduce,alltoall --bytes 100 --packet 8 --stall-in 0.95 --stall-out 0:0.95"}) {
    CAPTURE(options);
    const Result result = fred(run(options));
    CAPTURE(result.err);
    CHECK(result.code == 0);
    CHECK(result.out.find("\n0 mismatches") != std::string::npos);
  }
}

TEST_CASE("run: data in, results out") {
  const std::string values[3] = {std::string("\x01\0\0\0\xff\xff\xff\x7f", 8), std::string("\x02\0\0\0\x01\0\0\0", 8),
                                 std::string("\x03\0\0\0\0\0\0\0", 8)};  // the second sum wraps
  for (int rank = 0; rank < 3; ++rank) {
    write("in/rank0" + std::to_string(rank) + ".npy",
          npy(int32_header("(2,)"), values[rank], rank == 1 ? 2 : 1));  // both versions of the format
  }
  const fs::path out = scratch("out put");
  const Result result = fred(run("--collective allreduce,gather --root 1 --data " + quoted(scratch("in").string()) +
                                 " --out " + quoted(out.string())));
  CAPTURE(result.err);
  CHECK(result.code == 0);
  CHECK(names(out / "0-allreduce") == std::vector<std::string>{"rank00.npy", "rank01.npy", "rank02.npy"});
  CHECK(names(out / "1-gather") == std::vector<std::string>{"rank01.npy"});
  for (const char* rank : {"rank00.npy", "rank01.npy", "rank02.npy"}) {
    const std::string file = read(out / "0-allreduce" / rank);
    CHECK(file.size() % 64 == 8);
    CHECK(file.find("'descr': '<i4', 'fortran_order': False, 'shape': (2,)") != std::string::npos);
    CHECK(file.substr(file.size() - 8) == std::string("\x06\0\0\0\0\0\0\x80", 8));
  }
  const std::string gathered = read(out / "1-gather/rank01.npy");
  CHECK(gathered.substr(gathered.size() - 24) == values[0] + values[1] + values[2]);
}

TEST_CASE("run: files that cannot be written are exit code 2 and are named") {
  const fs::path file = write("in-the-way", "x");
  const std::string way = quoted(file.string());
  refused(run("--bytes 16 --out " + way), 2, {"--out", "in-the-way"});
  refused(run("--bytes 16 --vectors " + way), 2, {"--vectors", "in-the-way"});
  refused(run("--bytes 16 --json " + quoted((file / "x.json").string())), 2, {"--json", "x.json"});
  CHECK(read(file) == "x");

  // A set of results is whole or not there; files of other runs are named.
  const fs::path out = scratch("half");
  fs::create_directories(out / "rank01.npy");
  refused(run("--bytes 16 --out " + quoted(out.string())), 2, {"rank01.npy is a folder"});
  CHECK(names(out) == std::vector<std::string>{"rank01.npy"});
  fs::remove(out / "rank01.npy");
  CHECK(fred(run("--bytes 16 --out " + quoted(out.string()))).err.find("not of this run") == std::string::npos);
  const Result less = fred(run("--bytes 16 --collective reduce --root 2 --out " + quoted(out.string())));
  CHECK(less.code == 0);
  CHECK(less.err.find("not of this run, and left there: rank00.npy, rank01.npy") != std::string::npos);
}

TEST_CASE("run: vectors are written, the same every time") {
  const fs::path a = scratch("vectors/a");
  const fs::path b = scratch("vectors/b");
  for (const fs::path& folder : {a, b}) {
    CHECK(fred(run("--bytes 16 --stall-out 0.5 --vectors " + quoted(folder.string()))).code == 0);
  }
  CHECK(names(a) == std::vector<std::string>{"replay.sv", "vectors.txt"});
  CHECK(contents(a) == contents(b));
  CHECK(read(a / "replay.sv").find("fred gen --radix 3") != std::string::npos);
}

TEST_CASE("run: --trace takes names that end in .fst only") {
  refused("run " + kSmall + "--trace t.vcd", 2, {"--trace t.vcd", "FST", ".fst"});
  refused("run " + kSmall + "--trace fst", 2, {"--trace fst", ".fst"});
}

TEST_CASE("run: a short --timeout is no hang where ports only stall") {
  CHECK(fred(run("--bytes 200 --timeout 0 --stall-in 0.95 --stall-out 0.95")).code == 0);
}

TEST_CASE("run: fp64 files are converted, not taken as they are") {
  const double values[2] = {1.5, -2};
  const std::string bytes(reinterpret_cast<const char*>(values), sizeof values);
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }\n";
  for (const char* name : {"f8/rank00.npy", "f8/rank01.npy", "f8/rank02.npy"}) write(name, npy(header, bytes));
  const std::string data = "--data " + quoted(scratch("f8").string());
  refused("run --radix 3 --dtype bf16 " + data, 2, {"rank00.npy holds fp64", "use --dtype fp64 or --convert"});
  refused("run " + kSmall + data + " --convert", 2, {"fp64 values are not converted to int32"});
}
