#pragma once
#include <algorithm>
#include <string_view>
#include <vector>

namespace arena {

/// The parts between separators; a text without any is one part, be it empty.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace arena
