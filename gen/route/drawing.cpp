// SPDX-License-Identifier: Apache-2.0
// From bottom to top: boxes of the subnetworks, free links in grey, broken links, a flow's links on a white casing (so
// that it is seen which line goes over which), nodes with a flow's way through them, ports, crosses on what is broken.
#include "fred/route/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <optional>
#include <string_view>

#include "fred/error.hpp"
#include "fred/route/layout.hpp"

namespace fred {
namespace {

using detail::Box;
using detail::Layout;
using detail::Point;
using detail::Wire;

constexpr int kMargin = 24;       // around everything
constexpr int kLeastWidth = 620;  // of what is inside the margin: legends need it
constexpr int kLineHeight = 18;   // of the legends
constexpr int kTextSize = 12;     // of the legends
constexpr int kMarkRadius = 7;    // of the marks
constexpr const char* kText = "#1f2937";
constexpr const char* kFaintText = "#6b7280";
constexpr const char* kFree = "#b9c0cb";
constexpr const char* kOutline = "#475569";
constexpr const char* kBroken = "#b00020";

struct Paint {
  const char* line;
  const char* fill;  ///< the same with 85 % of white
  const char* ink;   ///< black or white, what is read on it
};
constexpr std::array<Paint, 7> kPaints = {{{"#0072b2", "#d9eaf3", "#ffffff"},
                                           {"#d55e00", "#f9e7d9", "#ffffff"},
                                           {"#009e73", "#d9f0ea", "#ffffff"},
                                           {"#cc79a7", "#f7ebf2", "#000000"},
                                           {"#e69f00", "#fbf1d9", "#000000"},
                                           {"#56b4e9", "#e6f4fc", "#000000"},
                                           {"#222222", "#dedede", "#ffffff"}}};
constexpr std::array<const char*, 8> kDashes = {"", "9 3", "4 3", "12 3 3 3", "2 2", "15 5", "6 2 2 2", "9 2 2 2 2 2"};

const Paint& paint(int number) { return kPaints[static_cast<std::size_t>(number) % kPaints.size()]; }

/// Attributes of a line of a flow.
std::string line_of(int number) {
  const char* dash = kDashes[static_cast<std::size_t>(number) / kPaints.size() % kDashes.size()];
  const std::string stroke = fmt::format("stroke=\"{}\"", paint(number).line);
  return *dash == '\0' ? stroke : fmt::format("{} stroke-dasharray=\"{}\"", stroke, dash);
}

std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

/// "m0.m2", or nothing for the switch itself.
std::string path_text(const std::vector<int>& middles) {
  std::string text;
  for (const int k : middles) text += fmt::format("{}m{}", text.empty() ? "" : ".", k);
  return text;
}

std::string end_text(const Network& network, int node, int pin) {
  return node < 0 ? fmt::format("port {}", pin) : fmt::format("{}[{}]", network.nodes[node].name(), pin);
}

/// "R0[1] to m1.R0[0]"
std::string link_text(const Network& network, const Link& link) {
  return fmt::format("{} to {}", end_text(network, link.from, link.from_pin), end_text(network, link.to, link.to_pin));
}

/// What a legend says of a flow.
std::string flow_text(const DrawnFlow& drawn) {
  std::string text = fmt::format("flow {}: {}", drawn.number, to_string(drawn.flow));
  if (!drawn.route.colours.empty()) {
    text += fmt::format(", colours {} ({})", fmt::join(drawn.route.colours, ","), path_text(drawn.route.colours));
  }
  return text;
}

/// Breaks text after commas and blanks where it would be wider than `width`.
std::vector<std::string> wrap(std::string_view text, int width) {
  const auto most = static_cast<std::size_t>(std::max(20, width * 5 / (3 * kTextSize)));
  std::vector<std::string> lines;
  while (text.size() > most) {
    const auto at = text.find_last_of(", ", most - 1);
    const auto size = at == std::string_view::npos ? most : at + 1;
    lines.emplace_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  lines.emplace_back(text);
  return lines;
}

/// The links at a node, by pin.
struct Pins {
  std::vector<int> in, out;  // indices of links
};

std::vector<Pins> pins_of(const Network& network) {
  std::vector<Pins> pins(network.nodes.size());
  const auto put = [](std::vector<int>& links, int pin, int link) {
    links.resize(std::max(links.size(), static_cast<std::size_t>(pin) + 1), -1);
    links[static_cast<std::size_t>(pin)] = link;
  };
  for (int i = 0; i < static_cast<int>(network.links.size()); ++i) {
    const Link& link = network.links[i];
    if (link.from >= 0) put(pins[link.from].out, link.from_pin, i);
    if (link.to >= 0) put(pins[link.to].in, link.to_pin, i);
  }
  return pins;
}

/// By link: the position in the round of the flow that occupies it, or -1.
std::vector<int> carriers(const Network& network, const DrawnRound& round) {
  std::vector<int> carried(network.links.size(), -1);
  for (int f = 0; f < static_cast<int>(round.flows.size()); ++f) {
    const LinkSet links = links_of(network, round.flows[f].flow, round.flows[f].route);
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (!links[i]) continue;
      if (carried[i] >= 0) {
        throw InputError(fmt::format("flows {} and {} share the link {}: draw them in different rounds",
                                     round.flows[carried[i]].number, round.flows[f].number,
                                     link_text(network, network.links[i])));
      }
      carried[i] = f;
    }
  }
  return carried;
}

/// The outline of a node: the round side of an R is where it reduces, that of a D where it distributes; an RD has both.
/// Demultiplexer and multiplexer are the usual trapezoids.
std::string outline(NodeKind kind, const Box& box) {
  const int r = 12;
  const int y = box.middle_y();
  if (kind == NodeKind::kDemux) {
    return fmt::format("M{0},{1}L{2},{3}V{4}L{0},{5}Z", box.left, y - 6, box.right, box.top, box.bottom, y + 6);
  }
  if (kind == NodeKind::kMux) {
    return fmt::format("M{0},{1}L{2},{3}V{4}L{0},{5}Z", box.right, y - 6, box.left, box.top, box.bottom, y + 6);
  }
  const std::string right = kind == NodeKind::kR
                                ? fmt::format("H{}V{}", box.right, box.bottom)
                                : fmt::format("H{0}A{1},{1} 0 0 1 {2},{3}V{4}A{1},{1} 0 0 1 {0},{5}", box.right - r, r,
                                              box.right, box.top + r, box.bottom - r, box.bottom);
  const std::string left = kind == NodeKind::kD
                               ? fmt::format("H{}Z", box.left)
                               : fmt::format("H{0}A{1},{1} 0 0 1 {2},{3}V{4}A{1},{1} 0 0 1 {0},{5}Z", box.left + r, r,
                                             box.left, box.bottom - r, box.top + r, box.top);
  return fmt::format("M{},{}{}{}", kind == NodeKind::kD ? box.left : box.left + r, box.top, right, left);
}

std::string wire_path(const Wire& wire) {
  if (wire.from.y == wire.to.y) return fmt::format("M{},{}H{}", wire.from.x, wire.from.y, wire.to.x);
  const int bend = (wire.enter.x - wire.leave.x) * 2 / 5;
  return fmt::format("M{},{}H{}C{},{} {},{} {},{}H{}", wire.from.x, wire.from.y, wire.leave.x, wire.leave.x + bend,
                     wire.leave.y, wire.enter.x - bend, wire.enter.y, wire.enter.x, wire.enter.y, wire.to.x);
}

std::string plus_mark(Point at, const Paint& paint) {
  return fmt::format(
      "<circle cx=\"{0}\" cy=\"{1}\" r=\"{2}\" fill=\"{3}\"/><path d=\"M{4},{1}h8M{0},{5}v8\" stroke=\"{6}\" "
      "stroke-width=\"1.8\"/>",
      at.x, at.y, kMarkRadius, paint.line, at.x - 4, at.y - 4, paint.ink);
}

std::string fork_mark(Point at, const Paint& paint) {
  return fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\" fill=\"{}\"/><path d=\"M{},{}h4l4,-4m-4,4l4,4\" "
      "fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>",
      at.x - kMarkRadius, at.y - kMarkRadius, 2 * kMarkRadius, 2 * kMarkRadius, paint.line, at.x - 5, at.y, paint.ink);
}

std::string cross(Point at, int size) {
  return fmt::format("M{},{}l{},{}m0,-{}l-{},{}", at.x - size, at.y - size, 2 * size, 2 * size, 2 * size, 2 * size,
                     2 * size);
}

/// What all panels have in common.
struct Scene {
  const Network& network;
  const Layout layout;
  const std::vector<Pins> pins;
  const LinkSet& broken;  // empty or by link
  [[nodiscard]] bool is_broken(int link) const { return !broken.empty() && broken[link]; }
  /// All of its links are broken.
  [[nodiscard]] bool is_dead(int node) const {
    const auto bad = [&](int link) { return is_broken(link); };
    return std::all_of(pins[node].in.begin(), pins[node].in.end(), bad) &&
           std::all_of(pins[node].out.begin(), pins[node].out.end(), bad);
  }
};

/// One round. Appends to a text.
class Panel {
 public:
  Panel(const Scene& scene, const DrawnRound& round, std::string& text)
      : scene_(scene), round_(round), carried_(carriers(scene.network, round)), text_(text) {}

  void draw() {
    boxes();
    links();
    put("<g font-size=\"{}\" text-anchor=\"middle\">\n", detail::kNameSize);
    for (int node = 0; node < static_cast<int>(scene_.network.nodes.size()); ++node) draw_node(node);
    put("</g>\n");
    ports();
    crosses();
  }

 private:
  template <typename... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  [[nodiscard]] int count_links() const { return static_cast<int>(scene_.network.links.size()); }
  /// The number of the flow on a link, if there is one.
  [[nodiscard]] std::optional<int> flow_on(int link) const {
    return carried_[link] < 0 ? std::nullopt : std::optional(round_.flows[carried_[link]].number);
  }

  void boxes() {
    const int percent = std::max(2, 15 / scene_.network.levels());  // boxes lie in boxes: the innermost stays light
    put("<g fill=\"#64748b\" fill-opacity=\"0.{:02}\" stroke=\"#94a3b8\" stroke-opacity=\"0.6\">\n", percent);
    const std::vector<detail::SubnetBox> subnets = scene_.layout.subnets();
    for (const detail::SubnetBox& subnet : subnets) {
      put("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"10\"/>\n", subnet.box.left, subnet.box.top,
          subnet.box.right - subnet.box.left, subnet.box.bottom - subnet.box.top);
    }
    put("</g>\n<g font-size=\"10\" fill=\"{}\">\n", kFaintText);
    for (const detail::SubnetBox& subnet : subnets) {
      const std::string path = path_text(subnet.middles);
      put("<text x=\"{}\" y=\"{}\">{}{}FRED_{}({})</text>\n", subnet.box.left + 10, subnet.box.top + 14, path,
          path.empty() ? "" : ": ", scene_.network.middle, scene_.network.shapes[subnet.level].size);
    }
    put("</g>\n");
  }

  /// A link whose looks are `attributes`, with its tooltip.
  void draw_link(int link, const std::string& attributes) {
    const std::optional<int> flow = flow_on(link);
    put("<path {} data-link=\"{}\" d=\"{}\"><title>{}: {}{}</title></path>\n", attributes, link,
        wire_path(scene_.layout.wire(scene_.network.links[link])),
        escape(link_text(scene_.network, scene_.network.links[link])),
        flow ? fmt::format("flow {}", *flow) : std::string("free"), scene_.is_broken(link) ? ", broken" : "");
  }

  void links() {
    put("<g fill=\"none\" stroke=\"{}\">\n", kFree);
    for (int i = 0; i < count_links(); ++i) {
      if (carried_[i] < 0 && !scene_.is_broken(i)) draw_link(i, "class=\"free\"");
    }
    put("</g>\n<g fill=\"none\" stroke=\"{}\" stroke-dasharray=\"3 3\">\n", kBroken);
    for (int i = 0; i < count_links(); ++i) {
      if (carried_[i] < 0 && scene_.is_broken(i)) draw_link(i, "class=\"broken\"");
    }
    put("</g>\n");
    for (int f = 0; f < static_cast<int>(round_.flows.size()); ++f) {
      put("<path class=\"casing\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"5.5\" d=\"");
      for (int i = 0; i < count_links(); ++i) {
        if (carried_[i] == f) put("{}", wire_path(scene_.layout.wire(scene_.network.links[i])));
      }
      const int number = round_.flows[f].number;
      put("\"/>\n<g fill=\"none\" stroke-width=\"2.4\">\n");
      const std::string attributes = fmt::format("class=\"link\" {} data-flow=\"{}\"", line_of(number), number);
      for (int i = 0; i < count_links(); ++i) {
        if (carried_[i] == f) draw_link(i, attributes);
      }
      put("</g>\n");
    }
  }

  /// Pins of a node that a flow uses.
  struct Passage {
    int flow = 0;  // position in the round
    std::vector<int> in, out;
  };

  [[nodiscard]] std::vector<Passage> passages(int node) const {
    std::vector<Passage> all;
    const auto at = [&](int flow) -> Passage& {
      const auto same = [&](const Passage& passage) { return passage.flow == flow; };
      const auto found = std::find_if(all.begin(), all.end(), same);
      return found != all.end() ? *found : all.emplace_back(Passage{flow, {}, {}});
    };
    const Pins& pins = scene_.pins[node];
    for (std::size_t pin = 0; pin < pins.in.size(); ++pin) {
      if (carried_[pins.in[pin]] >= 0) at(carried_[pins.in[pin]]).in.push_back(static_cast<int>(pin));
    }
    for (std::size_t pin = 0; pin < pins.out.size(); ++pin) {
      if (carried_[pins.out[pin]] >= 0) at(carried_[pins.out[pin]]).out.push_back(static_cast<int>(pin));
    }
    return all;
  }

  /// What a node does, for its tooltip.
  [[nodiscard]] std::string task_text(int node, const std::vector<Passage>& passing) const {
    std::vector<std::string> tasks;
    for (const Passage& passage : passing) {
      const char* verb = passage.in.size() > 1 ? (passage.out.size() > 1 ? "reduces and distributes" : "reduces")
                                               : (passage.out.size() > 1 ? "distributes" : "passes");
      tasks.push_back(fmt::format("{} flow {}", verb, round_.flows[passage.flow].number));
    }
    if (tasks.empty()) tasks.emplace_back("free");
    if (scene_.is_dead(node)) tasks.emplace_back("broken");
    return fmt::format("{}", fmt::join(tasks, ", "));
  }

  void draw_node(int index) {
    const Node& node = scene_.network.nodes[index];
    const Box box = scene_.layout.node(index);
    const std::vector<Passage> passing = passages(index);
    const auto works = std::find_if(passing.begin(), passing.end(), [](const Passage& passage) {
      return passage.in.size() > 1 || passage.out.size() > 1;
    });
    const char* fill = "#ffffff";
    const char* stroke = passing.empty() ? "#94a3b8" : kOutline;
    if (works != passing.end()) {
      fill = paint(round_.flows[works->flow].number).fill;
      stroke = paint(round_.flows[works->flow].number).line;
    }
    put("<g class=\"node\" data-node=\"{0}\"><title>{0}: {1}</title><path d=\"{2}\" fill=\"{3}\" stroke=\"{4}\" "
        "stroke-width=\"1.3\"/>",
        escape(node.name()), escape(task_text(index, passing)), outline(node.kind, box), fill, stroke);
    for (const Passage& passage : passing) draw_passage(index, box, passage);
    put("<text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text></g>\n", box.middle_x(), box.top - 3,
        passing.empty() ? kFaintText : kText, escape(node.name()));
  }

  /// A flow's way from pins to pins, joined where it is reduced, forked where it is distributed.
  void draw_passage(int node, const Box& box, const Passage& passage) {
    const Point join{box.left + kMarkRadius + 6, box.middle_y()};
    const Point fork{box.right - kMarkRadius - 6, box.middle_y()};
    const int number = round_.flows[passage.flow].number;
    const bool reduces = passage.in.size() > 1;
    const bool distributes = passage.out.size() > 1;
    put("<path fill=\"none\" stroke-width=\"2\" {} d=\"", line_of(number));
    if (!reduces && !distributes && !passage.in.empty() && !passage.out.empty()) {
      const Point in = scene_.layout.in_pin(node, passage.in.front());
      const Point out = scene_.layout.out_pin(node, passage.out.front());
      put("M{},{}L{},{}", in.x, in.y, out.x, out.y);
    } else {
      const Point first = reduces ? join : fork;
      for (const int pin : passage.in) {
        const Point in = scene_.layout.in_pin(node, pin);
        put("M{},{}L{},{}", in.x, in.y, first.x, first.y);
      }
      const Point last = distributes ? fork : join;
      if (reduces && distributes) put("M{},{}H{}", join.x, join.y, fork.x);
      for (const int pin : passage.out) {
        const Point out = scene_.layout.out_pin(node, pin);
        put("M{},{}L{},{}", last.x, last.y, out.x, out.y);
      }
    }
    put("\"/>");
    if (reduces) put("<g class=\"reduces\" data-flow=\"{}\">{}</g>", number, plus_mark(join, paint(number)));
    if (distributes) put("<g class=\"distributes\" data-flow=\"{}\">{}</g>", number, fork_mark(fork, paint(number)));
  }

  void ports() {
    put("<g font-size=\"11\" fill=\"{}\">\n", kText);
    for (int i = 0; i < count_links(); ++i) {
      const Link& link = scene_.network.links[i];
      if (link.from >= 0 && link.to >= 0) continue;
      const bool is_in = link.from < 0;
      const Wire wire = scene_.layout.wire(link);
      const Point end = is_in ? wire.from : wire.to;
      const std::optional<int> flow = flow_on(i);
      const std::string name = fmt::format("{} {}", is_in ? "in" : "out", is_in ? link.from_pin : link.to_pin);
      put("<circle cx=\"{}\" cy=\"{}\" r=\"3.5\" fill=\"{}\" stroke=\"{}\"><title>{}: {}</title></circle>", end.x,
          end.y, flow ? paint(*flow).line : "#ffffff", flow ? paint(*flow).line : "#94a3b8", name,
          flow ? fmt::format("flow {}", *flow) : std::string("free"));
      put("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", is_in ? end.x - 8 : end.x + 8, end.y + 4,
          is_in ? " text-anchor=\"end\"" : "", name);
    }
    put("</g>\n");
  }

  void crosses() {
    if (scene_.broken.empty()) return;
    put("<g fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" pointer-events=\"none\">\n", kBroken);
    for (int i = 0; i < count_links(); ++i) {
      if (!scene_.is_broken(i)) continue;
      const Wire wire = scene_.layout.wire(scene_.network.links[i]);
      const bool bent = wire.from.y != wire.to.y;
      const Point a = bent ? wire.leave : wire.from;
      const Point b = bent ? wire.enter : wire.to;
      put("<path class=\"broken-link\" d=\"{}\"/>\n", cross({(a.x + b.x) / 2, (a.y + b.y) / 2}, 4));
    }
    for (int node = 0; node < static_cast<int>(scene_.network.nodes.size()); ++node) {
      if (!scene_.is_dead(node)) continue;
      const Box box = scene_.layout.node(node);
      put("<path class=\"broken-node\" stroke-width=\"2.2\" d=\"M{0},{1}L{2},{3}M{0},{3}L{2},{1}\"/>\n", box.left - 3,
          box.top - 3, box.right + 3, box.bottom + 3);
    }
    put("</g>\n");
  }

  const Scene& scene_;
  const DrawnRound& round_;
  const std::vector<int> carried_;
  std::string& text_;
};

/// One line of the legend at the end: a sample, 46 wide around (0, 0), and what it means.
struct Sample {
  std::string picture, meaning;
};

std::vector<Sample> samples(const Scene& scene) {
  std::vector<Sample> list;
  const auto node = [&](NodeKind kind, std::string meaning) {
    const bool present = std::any_of(scene.network.nodes.begin(), scene.network.nodes.end(),
                                     [&](const Node& of) { return of.kind == kind; });
    if (!present) return;
    list.push_back({fmt::format("<path d=\"{}\" fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"1.3\"/>",
                                outline(kind, {-16, -11, 16, 11}), kOutline),
                    fmt::format("{}: {}", to_string(kind), meaning)});
  };
  const int m = scene.network.middle;
  node(NodeKind::kR, fmt::format("2 inputs, outputs to {} middles; can reduce", m));
  node(NodeKind::kRD, "2 inputs, 2 outputs; can reduce and distribute");
  node(NodeKind::kD, fmt::format("inputs from {} middles, 2 outputs; can distribute", m));
  node(NodeKind::kDemux, "the last input of an odd size, to a middle");
  node(NodeKind::kMux, "from a middle, the last output of an odd size");
  const Paint grey{"#475569", "#ffffff", "#ffffff"};
  list.push_back({plus_mark({0, 0}, grey), "the flow is reduced here: two inputs in one"});
  list.push_back({fork_mark({0, 0}, grey), "the flow is distributed here: to both outputs"});
  list.push_back({fmt::format("<path d=\"M-16,0H16\" stroke=\"{}\"/>", kFree), "free link"});
  if (!scene.broken.empty()) {
    list.push_back({fmt::format("<path d=\"M-16,0H16\" stroke=\"{0}\" stroke-dasharray=\"3 3\"/><path d=\"{1}\" "
                                "fill=\"none\" stroke=\"{0}\" stroke-width=\"1.6\"/>",
                                kBroken, cross({0, 0}, 4)),
                    "broken link; crossed out: a node without others"});
  }
  return list;
}

/// The whole picture, from top to bottom.
class Sheet {
 public:
  explicit Sheet(const Scene& scene)
      : scene_(scene), width_(std::max(kLeastWidth, scene.layout.width())), y_(kMargin) {}

  void heading(const std::string& text, int size) {
    y_ += size;
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" font-weight=\"bold\">{}</text>\n", kMargin, y_, size,
                         escape(text));
    y_ += 10;
  }

  void flow_legend(const DrawnRound& round) {
    const int indent = 44;
    for (const DrawnFlow& drawn : round.flows) {
      const int y = y_ + kLineHeight / 2;
      body_ += fmt::format(
          "<g class=\"legend\"><path d=\"M{},{}h34\" fill=\"none\" stroke-width=\"3\" {}/><text x=\"{}\" y=\"{}\">",
          kMargin, y, line_of(drawn.number), kMargin + indent, y + 4);
      const std::vector<std::string> lines = wrap(flow_text(drawn), width_ - indent);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        body_ += i == 0 ? escape(lines[i])
                        : fmt::format("<tspan x=\"{}\" dy=\"{}\">{}</tspan>", kMargin + indent, kLineHeight,
                                      escape(lines[i]));
      }
      body_ += "</text></g>\n";
      y_ += kLineHeight * static_cast<int>(lines.size());
    }
    y_ += 8;
  }

  void panel(const DrawnRound& round) {
    body_ += fmt::format("<g transform=\"translate({},{})\">\n", kMargin + (width_ - scene_.layout.width()) / 2, y_);
    Panel(scene_, round, body_).draw();
    body_ += "</g>\n";
    y_ += scene_.layout.height() + kMargin;
  }

  /// In two columns where there is room.
  void legend() {
    const int row = 26;
    const int left = 43;  // of the text
    const std::vector<Sample> list = samples(scene_);
    int widest = 0;
    for (const Sample& sample : list) {
      widest = std::max(widest, left + detail::text_width(sample.meaning.size(), kTextSize));
    }
    const int columns = 2 * widest + kMargin <= width_ ? 2 : 1;
    const int rows = (static_cast<int>(list.size()) + columns - 1) / columns;
    for (int i = 0; i < static_cast<int>(list.size()); ++i) {
      body_ +=
          fmt::format("<g class=\"legend\" transform=\"translate({},{})\">{}<text x=\"{}\" y=\"4\">{}</text></g>\n",
                      kMargin + 17 + i / rows * (widest + kMargin), y_ + row / 2 + i % rows * row, list[i].picture,
                      left - 17, escape(list[i].meaning));
    }
    y_ += rows * row;
  }

  [[nodiscard]] std::string finish(const std::string& title, const std::string& description) const {
    const int width = width_ + 2 * kMargin;
    const int height = y_ + kMargin;
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
        "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"{2}\" fill=\"{3}\">\n<title>{4}</title>\n"
        "<desc>{5}</desc>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{6}</svg>\n",
        width, height, kTextSize, kText, escape(title), escape(description), body_);
  }

 private:
  const Scene& scene_;
  const int width_;  // inside the margin
  int y_;            // where the next part begins
  std::string body_;
};

void check(const Network& network, std::size_t rounds, const LinkSet& broken) {
  const long links = static_cast<long>(network.links.size()) * static_cast<long>(rounds);
  if (links > kMaxDrawnLinks) {
    throw InputError(fmt::format("a drawing of FRED_{}({}) in {} round{} has {} links: allowed are at most {}",
                                 network.middle, network.radix, rounds, rounds == 1 ? "" : "s", links, kMaxDrawnLinks));
  }
  if (!broken.empty() && broken.size() != network.links.size()) {
    throw InputError(
        fmt::format("{} links are said to be broken or not: this network has {}", broken.size(), network.links.size()));
  }
}

}  // namespace

std::vector<DrawnRound> drawn_rounds(const std::vector<Flow>& flows, const std::vector<Route>& routes,
                                     const std::vector<std::vector<int>>& rounds) {
  std::vector<DrawnRound> drawn;
  for (const std::vector<int>& round : rounds) {
    drawn.emplace_back();
    for (const int f : round) drawn.back().flows.push_back({f, flows[f], routes[f]});
  }
  return drawn;
}

std::string draw_svg(const Network& network, const std::vector<DrawnRound>& rounds, const LinkSet& broken) {
  const std::vector<DrawnRound> panels = rounds.empty() ? std::vector<DrawnRound>(1) : rounds;
  check(network, panels.size(), broken);
  const Scene scene{network, Layout(network), pins_of(network), broken};
  Sheet sheet(scene);
  const std::string name = fmt::format("FRED_{}({})", network.middle, network.radix);
  std::size_t flows = 0;
  std::string description = "Inputs are on the left, outputs on the right.";
  sheet.heading(name, 16);
  for (std::size_t r = 0; r < panels.size(); ++r) {
    const std::string title = panels[r].title.empty() ? fmt::format("round {}", r) : panels[r].title;
    if (panels.size() > 1 || !panels[r].title.empty()) sheet.heading(title, 14);
    sheet.flow_legend(panels[r]);
    sheet.panel(panels[r]);
    flows += panels[r].flows.size();
    std::string sentence = title;
    sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
    for (const DrawnFlow& drawn : panels[r].flows) description += fmt::format(" {}, {}.", sentence, flow_text(drawn));
  }
  sheet.legend();
  return sheet.finish(fmt::format("{}: {} flow{} in {} round{}", name, flows, flows == 1 ? "" : "s", rounds.size(),
                                  rounds.size() == 1 ? "" : "s"),
                      description);
}

}  // namespace fred
