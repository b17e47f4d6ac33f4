// SPDX-License-Identifier: BSL-1.0
#include "draw/stages.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace tutti::draw {

using schedules::place;
using schedules::schedule;

namespace {

/// Labels of all ranks as nodes of a graph: "this one, then that one" on some rank is an edge.
class label_order {
 public:
  void add_rank(const schedule& s) {
    std::map<std::string, int> seen;
    auto& mine = nodes_of_rank_.emplace_back();
    for (const std::string& label : s.stages) {
      const std::size_t node = node_of({label, seen[label]++});
      if (!mine.empty()) followers_[mine.back()].push_back(node);
      mine.push_back(node);
    }
  }

  /// Position of every node; a node that is part of a contradiction comes as soon as nothing better is left.
  std::vector<std::size_t> positions() const {
    std::vector<std::size_t> waits(labels_.size(), 0);
    for (const auto& later : followers_) {
      for (const std::size_t node : later) ++waits[node];
    }
    std::vector<std::size_t> position(labels_.size());
    std::vector<bool> placed(labels_.size());
    for (std::size_t next = 0; next < labels_.size(); ++next) {
      std::size_t best = labels_.size();
      for (std::size_t node = 0; node < labels_.size(); ++node) {
        if (!placed[node] && (best == labels_.size() || waits[node] < waits[best])) best = node;
      }
      placed[best] = true;
      position[best] = next;
      for (const std::size_t node : followers_[best]) --waits[node];
    }
    return position;
  }

  const std::vector<std::string>& labels() const { return labels_; }
  std::size_t node(rank_id rank, std::uint32_t stage) const {
    return nodes_of_rank_[static_cast<std::size_t>(rank)][stage];
  }

 private:
  std::size_t node_of(const std::pair<std::string, int>& key) {
    const auto [at, fresh] = nodes_.try_emplace(key, labels_.size());
    if (fresh) {
      labels_.push_back(key.first);
      followers_.emplace_back();
    }
    return at->second;
  }

  std::map<std::pair<std::string, int>, std::size_t> nodes_;  // a label and how often the rank named it before
  std::vector<std::string> labels_;
  std::vector<std::vector<std::size_t>> followers_;
  std::vector<std::vector<std::size_t>> nodes_of_rank_;
};

}  // namespace

staging merge_stages(std::span<const schedule> schedules, const schedules::matching& messages,
                     const schedules::execution& run) {
  label_order order;
  for (const schedule& s : schedules) order.add_rank(s);
  const std::vector<std::size_t> position = order.positions();

  staging made;
  made.labels.resize(position.size());
  for (std::size_t node = 0; node < position.size(); ++node) made.labels[position[node]] = order.labels()[node];
  for (const schedule& s : schedules) made.stage.emplace_back(s.steps.size());
  for (const place p : run.order) {
    const auto r = static_cast<std::size_t>(p.rank);
    const schedules::step& what = schedules[r].steps[p.step];
    std::size_t stage = position[order.node(p.rank, what.stage)];
    for (const std::uint32_t earlier : schedules[r].after_of(what)) stage = std::max(stage, made.stage[r][earlier]);
    if (what.kind == schedules::step_kind::receive) {
      const place sender = messages.messages[messages.feeding[r][p.step]].send;
      stage = std::max(stage, made.stage[static_cast<std::size_t>(sender.rank)][sender.step]);
    }
    made.stage[r][p.step] = stage;
  }
  return made;
}

}  // namespace tutti::draw
