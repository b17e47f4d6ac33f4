// SPDX-License-Identifier: BSL-1.0
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "draw/trace.hpp"

namespace tutti::draw {
namespace {

constexpr std::size_t character_width = 8;  // of the 13 px monospaced font below, rounded up
constexpr std::size_t row_height = 48;
constexpr std::size_t left = 56;
constexpr std::size_t top = 72;
constexpr std::size_t gap = 72;  // between columns, for the arrows

std::string escaped(std::string_view text) {
  std::string made;
  for (const char c : text) {
    switch (c) {
      case '&': made += "&amp;"; break;
      case '<': made += "&lt;"; break;
      case '>': made += "&gt;"; break;
      case '"': made += "&quot;"; break;
      default: made += c;
    }
  }
  return made;
}

std::size_t column_width(const trace& t) {
  std::size_t characters = 0;
  for (const frame& f : t.frames) {
    characters = std::max(characters, f.stage.size());
    for (const cell& c : f.ranks) characters = std::max(characters, text_of(c).size());
  }
  return characters * character_width + 12;
}

class picture {
 public:
  picture(const trace& t, const std::string& title) : trace_(t), column_(column_width(t)) {
    const std::size_t columns = t.frames.size();
    const std::size_t ranks = t.frames.front().ranks.size();
    const std::size_t width = left + columns * column_ + (columns - 1) * gap + 16;
    const std::size_t height = top + ranks * row_height;
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "role=\"img\" font-family=\"monospace\" font-size=\"13\">\n<title>{2}</title>\n"
        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" "
        "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#0b5cad\"/></marker></defs>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n"
        "<text x=\"8\" y=\"22\" font-size=\"15\" font-weight=\"bold\">{2}</text>\n",
        width, height, escaped(title));
  }

  std::string draw() && {
    for (std::size_t r = 0; r < trace_.frames.front().ranks.size(); ++r) {
      svg_ += fmt::format("<text x=\"8\" y=\"{}\" font-weight=\"bold\">r{}</text>\n", y(r) + 5, r);
    }
    for (const arrow& a : trace_.arrows) {
      svg_ += fmt::format(
          "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#0b5cad\" marker-end=\"url(#tip)\">"
          "<title>r{} to r{}: {} {} from block {} on</title></line>\n",
          x(a.frame - 1) + column_, y(static_cast<std::size_t>(a.from)), x(a.frame) - 2,
          y(static_cast<std::size_t>(a.to)), a.from, a.to, a.what.count, a.what.count == 1 ? "block" : "blocks",
          a.what.first);
    }
    for (std::size_t f = 0; f < trace_.frames.size(); ++f) add_column(f);
    return std::move(svg_) + "</svg>\n";
  }

 private:
  std::size_t x(std::size_t f) const { return left + f * (column_ + gap); }
  static std::size_t y(std::size_t rank) { return top + rank * row_height; }

  void add_column(std::size_t f) {
    const frame& here = trace_.frames[f];
    svg_ += fmt::format("<text x=\"{}\" y=\"46\" fill=\"#444\">{}</text>\n", x(f) + 6, escaped(here.stage));
    for (std::size_t r = 0; r < here.ranks.size(); ++r) {
      svg_ += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"26\" rx=\"4\" fill=\"#f3f6fa\" "
          "stroke=\"#9ab\"/>\n<text x=\"{}\" y=\"{}\">[",
          x(f), y(r) - 13, column_, x(f) + 6, y(r) + 5);
      const cell& c = here.ranks[r];
      for (std::size_t i = 0; i < c.values.size(); ++i) {
        const std::string value = c.defined[i] ? fmt::format("{}", c.values[i]) : "?";
        svg_ += i == 0 ? "" : " ";
        svg_ += c.owned[i] && c.defined[i]
                    ? value
                    : fmt::format("<tspan fill=\"#767676\" font-style=\"italic\">{}</tspan>", value);
      }
      if (!c.holds) svg_ += '?';
      svg_ += "]</text>\n";
    }
  }

  const trace& trace_;
  std::size_t column_;
  std::string svg_;
};

}  // namespace

std::string svg_of(const trace& t, const std::string& title) { return picture(t, title).draw(); }

}  // namespace tutti::draw
