import { rowsOf } from './rows.js'

/** Issues, their emoji, merge requests, labels and milestones. */
export const planningRows = rowsOf(`
  # Labels (API, G3)
  GET P/labels | include_ancestor_groups search with_counts | 200
  GET P/labels/:label_id | | 200
  POST P/labels | name color description priority | 201
  PUT P/labels/:label_id | new_name color description priority | 200
  PUT P/labels | name label_id new_name color description priority | 200
  DELETE P/labels/:label_id | | 204
  DELETE P/labels | name | 204
  PUT P/labels/:label_id/promote | | 200
  PUT P/labels/promote | name | 200
  POST P/labels/:label_id/subscribe | | 201 304
  POST P/labels/:label_id/unsubscribe | | 201 304
  GET G/labels | include_ancestor_groups include_descendant_groups only_group_labels search with_counts | 200
  GET G/labels/:label_id | | 200
  POST G/labels | name color description | 201
  PUT G/labels/:label_id | new_name color description | 200
  DELETE G/labels/:label_id | | 204
  POST G/labels/:label_id/subscribe | | 201 304
  POST G/labels/:label_id/unsubscribe | | 201 304

  # Issues (API, F2)
  GET /issues | state author_id author_username assignee_id assignee_username labels milestone my_reaction_emoji weight epic_id iids issue_type search in confidential due_date created_after created_before updated_after updated_before not scope order_by sort with_labels_details non_archived | 200
  GET G/issues | state author_id author_username assignee_id assignee_username labels milestone my_reaction_emoji weight epic_id iids issue_type search in confidential due_date created_after created_before updated_after updated_before not scope order_by sort with_labels_details non_archived | 200
  GET P/issues | state author_id author_username assignee_id assignee_username labels milestone my_reaction_emoji weight epic_id iids issue_type search in confidential due_date created_after created_before updated_after updated_before not scope order_by sort with_labels_details | 200
  GET /issues_statistics | state author_id author_username assignee_id assignee_username labels milestone my_reaction_emoji weight epic_id iids issue_type search in confidential due_date created_after created_before updated_after updated_before not scope | 200
  GET G/issues_statistics | state author_id author_username assignee_id assignee_username labels milestone my_reaction_emoji weight epic_id iids issue_type search in confidential due_date created_after created_before updated_after updated_before not scope | 200
  GET P/issues_statistics | state author_id author_username assignee_id assignee_username labels milestone my_reaction_emoji weight epic_id iids issue_type search in confidential due_date created_after created_before updated_after updated_before not scope | 200
  GET /issues/:id | | 200
  GET P/issues/:issue_iid | | 200
  POST P/issues | title description assignee_ids assignee_id milestone_id labels created_at due_date confidential discussion_locked iid weight issue_type epic_id | 201
  PUT P/issues/:issue_iid | title description state_event assignee_ids assignee_id milestone_id labels add_labels remove_labels due_date confidential discussion_locked updated_at weight issue_type epic_id | 200
  DELETE P/issues/:issue_iid | | 204
  PUT P/issues/:issue_iid/reorder | move_after_id move_before_id | 200
  POST P/issues/:issue_iid/move | to_project_id | 201
  POST P/issues/:issue_iid/clone | to_project_id with_notes | 201
  POST P/issues/:issue_iid/subscribe | | 201 304
  POST P/issues/:issue_iid/unsubscribe | | 201 304
  POST P/issues/:issue_iid/time_estimate | duration | 200
  POST P/issues/:issue_iid/reset_time_estimate | | 200
  POST P/issues/:issue_iid/add_spent_time | duration | 201
  POST P/issues/:issue_iid/reset_spent_time | | 200
  GET P/issues/:issue_iid/time_stats | | 200
  GET P/issues/:issue_iid/participants | | 200
  GET P/issues/:issue_iid/user_agent_detail | | 200
  GET P/issues/:issue_iid/links | | 200
  POST P/issues/:issue_iid/links | target_project_id target_issue_iid link_type | 201
  GET P/issues/:issue_iid/links/:issue_link_id | | 200
  DELETE P/issues/:issue_iid/links/:issue_link_id | | 200

  # Boards (API, F6)
  GET P/boards | | 200
  GET P/boards/:board_id | | 200
  POST P/boards | name hide_backlog_list hide_closed_list milestone_id assignee_id labels weight | 201
  PUT P/boards/:board_id | name hide_backlog_list hide_closed_list milestone_id assignee_id labels weight | 200
  DELETE P/boards/:board_id | | 204
  GET P/boards/:board_id/lists | | 200
  GET P/boards/:board_id/lists/:list_id | | 200
  POST P/boards/:board_id/lists | label_id assignee_id milestone_id | 201
  PUT P/boards/:board_id/lists/:list_id | position | 200
  DELETE P/boards/:board_id/lists/:list_id | | 204
  GET G/boards | | 200
  GET G/boards/:board_id | | 200
  POST G/boards | name hide_backlog_list hide_closed_list milestone_id assignee_id labels weight | 201
  PUT G/boards/:board_id | name hide_backlog_list hide_closed_list milestone_id assignee_id labels weight | 200
  DELETE G/boards/:board_id | | 204
  GET G/boards/:board_id/lists | | 200
  GET G/boards/:board_id/lists/:list_id | | 200
  POST G/boards/:board_id/lists | label_id assignee_id milestone_id | 201
  PUT G/boards/:board_id/lists/:list_id | position | 200
  DELETE G/boards/:board_id/lists/:list_id | | 204

  # Epics (API, F5)
  GET G/epics | iids state author_id search created_after created_before updated_after updated_before order_by sort | 200
  GET G/epics/:epic_iid | | 200
  POST G/epics | title description start_date due_date | 201
  PUT G/epics/:epic_iid | title description start_date due_date state_event | 200
  DELETE G/epics/:epic_iid | | 204
  GET G/epics/:epic_iid/epics | | 200
  POST G/epics/:epic_iid/epics | title | 201
  POST G/epics/:epic_iid/epics/:child_epic_id | | 201
  PUT G/epics/:epic_iid/epics/:child_epic_id | move_before_id move_after_id | 200
  DELETE G/epics/:epic_iid/epics/:child_epic_id | | 200
  GET G/epics/:epic_iid/related_epics | | 200
  POST G/epics/:epic_iid/related_epics | target_group_id target_epic_iid link_type | 201
  DELETE G/epics/:epic_iid/related_epics/:related_epic_link_id | | 200
  GET G/epics/:epic_iid/issues | | 200
  POST G/epics/:epic_iid/issues/:issue_id | | 201
  PUT G/epics/:epic_iid/issues/:epic_issue_id | move_before_id move_after_id | 200
  DELETE G/epics/:epic_iid/issues/:epic_issue_id | | 200

  # Notes (API, G1)
  GET P/issues/:issue_iid/notes | order_by sort activity_filter | 200
  GET P/issues/:issue_iid/notes/:note_id | | 200
  POST P/issues/:issue_iid/notes | body internal confidential created_at | 201
  PUT P/issues/:issue_iid/notes/:note_id | body | 200
  DELETE P/issues/:issue_iid/notes/:note_id | | 204
  GET P/merge_requests/:merge_request_iid/notes | order_by sort activity_filter | 200
  GET P/merge_requests/:merge_request_iid/notes/:note_id | | 200
  POST P/merge_requests/:merge_request_iid/notes | body internal confidential created_at | 201
  PUT P/merge_requests/:merge_request_iid/notes/:note_id | body | 200
  DELETE P/merge_requests/:merge_request_iid/notes/:note_id | | 204
  GET G/epics/:epic_id/notes | order_by sort activity_filter | 200
  GET G/epics/:epic_id/notes/:note_id | | 200
  POST G/epics/:epic_id/notes | body internal confidential created_at | 201
  PUT G/epics/:epic_id/notes/:note_id | body | 200
  DELETE G/epics/:epic_id/notes/:note_id | | 204

  # Emoji of notes (API, G5)
  GET P/issues/:issue_iid/notes/:note_id/award_emoji | | 200
  GET P/issues/:issue_iid/notes/:note_id/award_emoji/:award_id | | 200
  POST P/issues/:issue_iid/notes/:note_id/award_emoji | name | 201
  DELETE P/issues/:issue_iid/notes/:note_id/award_emoji/:award_id | | 204
  GET P/merge_requests/:merge_request_iid/notes/:note_id/award_emoji | | 200
  GET P/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id | | 200
  POST P/merge_requests/:merge_request_iid/notes/:note_id/award_emoji | name | 201
  DELETE P/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id | | 204
  GET G/epics/:epic_id/notes/:note_id/award_emoji | | 200
  GET G/epics/:epic_id/notes/:note_id/award_emoji/:award_id | | 200
  POST G/epics/:epic_id/notes/:note_id/award_emoji | name | 201
  DELETE G/epics/:epic_id/notes/:note_id/award_emoji/:award_id | | 204

  # Suggestions (API, G2)
  PUT /suggestions/:id/apply | commit_message | 200
  PUT /suggestions/batch_apply | ids commit_message | 200
  GET P/repository/commits/:sha/discussions | | 200
  GET P/repository/commits/:sha/discussions/:discussion_id | | 200
  POST P/repository/commits/:sha/discussions | body created_at position | 201
  GET P/repository/commits/:sha/discussions/:discussion_id/notes | | 200
  GET P/repository/commits/:sha/discussions/:discussion_id/notes/:note_id | | 200
  POST P/repository/commits/:sha/discussions/:discussion_id/notes | body created_at | 201
  PUT P/repository/commits/:sha/discussions/:discussion_id/notes/:note_id | body | 200
  DELETE P/repository/commits/:sha/discussions/:discussion_id/notes/:note_id | | 204

  # Issues and merge requests that name each other (API, F2 and F4)
  GET P/issues/:issue_iid/closed_by | | 200
  GET P/issues/:issue_iid/related_merge_requests | | 200
  GET P/merge_requests/:merge_request_iid/closes_issues | | 200
  GET P/merge_requests/:merge_request_iid/related_issues | | 200

  # Discussions (API, G2)
  GET P/issues/:issue_iid/discussions | | 200
  GET P/issues/:issue_iid/discussions/:discussion_id | | 200
  POST P/issues/:issue_iid/discussions | body created_at | 201
  GET P/issues/:issue_iid/discussions/:discussion_id/notes | | 200
  GET P/issues/:issue_iid/discussions/:discussion_id/notes/:note_id | | 200
  POST P/issues/:issue_iid/discussions/:discussion_id/notes | body created_at | 201
  PUT P/issues/:issue_iid/discussions/:discussion_id/notes/:note_id | body | 200
  DELETE P/issues/:issue_iid/discussions/:discussion_id/notes/:note_id | | 204
  GET P/merge_requests/:merge_request_iid/discussions | | 200
  GET P/merge_requests/:merge_request_iid/discussions/:discussion_id | | 200
  POST P/merge_requests/:merge_request_iid/discussions | body created_at position commit_id | 201
  GET P/merge_requests/:merge_request_iid/discussions/:discussion_id/notes | | 200
  GET P/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id | | 200
  POST P/merge_requests/:merge_request_iid/discussions/:discussion_id/notes | body created_at | 201
  PUT P/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id | body resolved | 200
  DELETE P/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id | | 204
  PUT P/merge_requests/:merge_request_iid/discussions/:discussion_id | resolved | 200
  GET P/merge_requests/:merge_request_iid/draft_notes | | 200
  GET P/merge_requests/:merge_request_iid/draft_notes/:draft_note_id | | 200
  POST P/merge_requests/:merge_request_iid/draft_notes | note commit_id in_reply_to_discussion_id resolve_discussion position | 201
  PUT P/merge_requests/:merge_request_iid/draft_notes/:draft_note_id | note position | 200
  DELETE P/merge_requests/:merge_request_iid/draft_notes/:draft_note_id | | 204
  PUT P/merge_requests/:merge_request_iid/draft_notes/:draft_note_id/publish | | 200
  POST P/merge_requests/:merge_request_iid/draft_notes/bulk_publish | | 204
  GET P/external_status_checks | | 200
  POST P/external_status_checks | name external_url shared_secret protected_branch_ids | 201
  PUT P/external_status_checks/:check_id | name external_url shared_secret protected_branch_ids | 200
  DELETE P/external_status_checks/:check_id | | 204
  GET P/merge_requests/:merge_request_iid/status_checks | | 200
  POST P/merge_requests/:merge_request_iid/status_check_responses | sha external_status_check_id status | 201
  POST P/merge_requests/:merge_request_iid/status_checks/:external_status_check_id/retry | | 202
  GET P/merge_requests/:merge_request_iid/context_commits | | 200
  POST P/merge_requests/:merge_request_iid/context_commits | commits | 201
  DELETE P/merge_requests/:merge_request_iid/context_commits | commits | 204
  GET G/epics/:epic_id/discussions | | 200
  GET G/epics/:epic_id/discussions/:discussion_id | | 200
  POST G/epics/:epic_id/discussions | body created_at | 201
  GET G/epics/:epic_id/discussions/:discussion_id/notes | | 200
  GET G/epics/:epic_id/discussions/:discussion_id/notes/:note_id | | 200
  POST G/epics/:epic_id/discussions/:discussion_id/notes | body created_at | 201
  PUT G/epics/:epic_id/discussions/:discussion_id/notes/:note_id | body | 200
  DELETE G/epics/:epic_id/discussions/:discussion_id/notes/:note_id | | 204

  # Wikis (API, G8)
  GET G/wikis | with_content | 200
  GET G/wikis/:slug | version render_html with_details | 200
  GET G/wikis/:slug/versions | | 200
  GET G/wikis/:slug/diff | from to | 200
  GET G/wiki_attachments/:file_path | | 200
  POST G/wikis | title content format message | 201
  POST G/wikis/preview | content title format | 200
  POST G/wikis/attachments | file branch | 201
  PUT G/wikis/:slug | title content format message last_commit_id | 200
  DELETE G/wikis/:slug | | 204
  GET P/wikis | with_content | 200
  GET P/wikis/:slug | version render_html with_details | 200
  GET P/wikis/:slug/versions | | 200
  GET P/wikis/:slug/diff | from to | 200
  GET P/wiki_attachments/:file_path | | 200
  POST P/wikis | title content format message | 201
  POST P/wikis/preview | content title format | 200
  POST P/wikis/attachments | file branch | 201
  PUT P/wikis/:slug | title content format message last_commit_id | 200
  DELETE P/wikis/:slug | | 204

  # Snippets (API, G6)
  GET P/snippets | | 200
  GET P/snippets/:snippet_id | render_html | 200
  POST P/snippets | title file_name content files description visibility | 201
  PUT P/snippets/:snippet_id | title file_name content files description visibility | 200
  DELETE P/snippets/:snippet_id | | 204
  GET P/snippets/:snippet_id/raw | | 200
  GET P/snippets/:snippet_id/files/:ref/:file_path/raw | | 200
  GET P/snippets/:snippet_id/user_agent_detail | | 200
  GET /snippets | created_after created_before | 200
  GET /snippets/public | created_after created_before | 200
  GET /snippets/all | created_after created_before | 200
  GET /snippets/:id | render_html | 200
  POST /snippets | title file_name content files description visibility | 201
  PUT /snippets/:id | title file_name content files description visibility | 200
  DELETE /snippets/:id | | 204
  GET /snippets/:id/raw | | 200
  GET /snippets/:id/files/:ref/:file_path/raw | | 200
  GET /snippets/:id/user_agent_detail | | 200
  GET P/snippets/:snippet_id/notes | order_by sort activity_filter | 200
  GET P/snippets/:snippet_id/notes/:note_id | | 200
  POST P/snippets/:snippet_id/notes | body internal confidential created_at | 201
  PUT P/snippets/:snippet_id/notes/:note_id | body | 200
  DELETE P/snippets/:snippet_id/notes/:note_id | | 204
  GET P/snippets/:snippet_id/notes/:note_id/award_emoji | | 200
  GET P/snippets/:snippet_id/notes/:note_id/award_emoji/:award_id | | 200
  POST P/snippets/:snippet_id/notes/:note_id/award_emoji | name | 201
  DELETE P/snippets/:snippet_id/notes/:note_id/award_emoji/:award_id | | 204
  GET P/snippets/:snippet_id/discussions | | 200
  GET P/snippets/:snippet_id/discussions/:discussion_id | | 200
  POST P/snippets/:snippet_id/discussions | body created_at | 201
  GET P/snippets/:snippet_id/discussions/:discussion_id/notes | | 200
  GET P/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id | | 200
  POST P/snippets/:snippet_id/discussions/:discussion_id/notes | body created_at | 201
  PUT P/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id | body | 200
  DELETE P/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id | | 204
  GET P/snippets/:snippet_id/award_emoji | | 200
  GET P/snippets/:snippet_id/award_emoji/:award_id | | 200
  POST P/snippets/:snippet_id/award_emoji | name | 201
  DELETE P/snippets/:snippet_id/award_emoji/:award_id | | 204

  # Award emoji (API, G5)
  GET P/issues/:issue_iid/award_emoji | | 200
  GET P/issues/:issue_iid/award_emoji/:award_id | | 200
  POST P/issues/:issue_iid/award_emoji | name | 201
  DELETE P/issues/:issue_iid/award_emoji/:award_id | | 204
  GET P/merge_requests/:merge_request_iid/award_emoji | | 200
  GET P/merge_requests/:merge_request_iid/award_emoji/:award_id | | 200
  POST P/merge_requests/:merge_request_iid/award_emoji | name | 201
  DELETE P/merge_requests/:merge_request_iid/award_emoji/:award_id | | 204

  # Resource events (API, F2 and F4)
  GET P/issues/:issue_iid/resource_label_events | | 200
  GET P/issues/:issue_iid/resource_label_events/:event_id | | 200
  GET P/merge_requests/:merge_request_iid/resource_label_events | | 200
  GET P/merge_requests/:merge_request_iid/resource_label_events/:event_id | | 200
  GET P/issues/:issue_iid/resource_state_events | | 200
  GET P/issues/:issue_iid/resource_state_events/:event_id | | 200
  GET P/merge_requests/:merge_request_iid/resource_state_events | | 200
  GET P/merge_requests/:merge_request_iid/resource_state_events/:event_id | | 200
  GET P/issues/:issue_iid/resource_milestone_events | | 200
  GET P/issues/:issue_iid/resource_milestone_events/:event_id | | 200
  GET P/merge_requests/:merge_request_iid/resource_milestone_events | | 200
  GET P/merge_requests/:merge_request_iid/resource_milestone_events/:event_id | | 200
  GET P/milestones/:milestone_id/burndown_events | | 200
  GET G/milestones/:milestone_id/burndown_events | | 200

  # Merge requests (API, F4)
  GET /merge_requests | state author_id author_username assignee_id assignee_username reviewer_id reviewer_username approved_by_ids approver_ids labels milestone my_reaction_emoji source_branch target_branch search in wip created_after created_before updated_after updated_before environment deployed_after deployed_before not scope order_by sort view with_labels_details render_html non_archived | 200
  GET G/merge_requests | state author_id author_username assignee_id assignee_username reviewer_id reviewer_username approved_by_ids approver_ids labels milestone my_reaction_emoji source_branch target_branch search in wip created_after created_before updated_after updated_before environment deployed_after deployed_before not scope order_by sort view with_labels_details render_html non_archived | 200
  GET P/merge_requests | state author_id author_username assignee_id assignee_username reviewer_id reviewer_username approved_by_ids approver_ids labels milestone my_reaction_emoji source_branch target_branch search in wip created_after created_before updated_after updated_before environment deployed_after deployed_before not scope order_by sort view with_labels_details render_html iids | 200
  GET P/merge_requests/:merge_request_iid | render_html include_diverged_commits_count include_rebase_in_progress | 200
  POST P/merge_requests | source_branch target_branch title target_project_id assignee_id assignee_ids reviewer_ids description labels milestone_id remove_source_branch allow_collaboration allow_maintainer_to_push squash | 201
  PUT P/merge_requests/:merge_request_iid | title description target_branch state_event assignee_id assignee_ids reviewer_ids labels add_labels remove_labels milestone_id remove_source_branch squash discussion_locked allow_collaboration allow_maintainer_to_push | 200
  DELETE P/merge_requests/:merge_request_iid | | 204
  PUT P/merge_requests/:merge_request_iid/merge | merge_commit_message squash_commit_message squash should_remove_source_branch merge_when_pipeline_succeeds auto_merge sha | 200
  POST P/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds | | 201
  PUT P/merge_requests/:merge_request_iid/rebase | skip_ci | 202
  GET P/merge_requests/:merge_request_iid/merge_ref | | 200
  GET P/merge_requests/:merge_request_iid/versions | | 200
  GET P/merge_requests/:merge_request_iid/versions/:version_id | unidiff | 200
  GET P/merge_requests/:merge_request_iid/commits | | 200
  GET P/merge_requests/:merge_request_iid/changes | access_raw_diffs unidiff | 200
  GET P/merge_requests/:merge_request_iid/diffs | unidiff | 200
  GET P/merge_requests/:merge_request_iid/raw_diffs | | 200
  GET P/repository/commits/:sha/merge_requests | state | 200
  GET P/deployments/:deployment_id/merge_requests | | 200
  GET P/merge_requests/:merge_request_iid/approvals | | 200
  POST P/merge_requests/:merge_request_iid/approve | sha | 201
  POST P/merge_requests/:merge_request_iid/unapprove | | 201
  PUT P/merge_requests/:merge_request_iid/reset_approvals | | 202
  POST P/merge_requests/:merge_request_iid/subscribe | | 201
  POST P/merge_requests/:merge_request_iid/unsubscribe | | 201
  GET P/merge_requests/:merge_request_iid/participants | | 200
  GET P/merge_requests/:merge_request_iid/reviewers | | 200
  GET P/merge_requests/:merge_request_iid/time_stats | | 200
  POST P/merge_requests/:merge_request_iid/time_estimate | duration | 200
  POST P/merge_requests/:merge_request_iid/reset_time_estimate | | 200
  POST P/merge_requests/:merge_request_iid/add_spent_time | duration summary | 201
  POST P/merge_requests/:merge_request_iid/reset_spent_time | | 200
  GET P/approvals | | 200
  POST P/approvals | approvals_before_merge reset_approvals_on_push merge_requests_author_approval disable_overriding_approvers_per_merge_request | 201
  GET P/approval_rules | | 200
  GET P/approval_rules/:approval_rule_id | | 200
  POST P/approval_rules | name approvals_required rule_type user_ids usernames group_ids protected_branch_ids applies_to_all_protected_branches | 201
  PUT P/approval_rules/:approval_rule_id | name approvals_required user_ids usernames group_ids remove_hidden_groups protected_branch_ids applies_to_all_protected_branches | 200
  DELETE P/approval_rules/:approval_rule_id | | 204
  GET P/merge_requests/:merge_request_iid/approval_state | | 200
  GET P/merge_requests/:merge_request_iid/approval_rules | | 200
  GET P/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id | | 200
  POST P/merge_requests/:merge_request_iid/approval_rules | name approvals_required approval_project_rule_id rule_type user_ids usernames group_ids | 201
  PUT P/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id | name approvals_required user_ids usernames group_ids remove_hidden_groups | 200
  DELETE P/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id | | 204
  GET P/merge_requests/:merge_request_iid/pipelines | | 200
  POST P/merge_requests/:merge_request_iid/pipelines | | 200
  GET P/merge_trains | scope sort | 200
  GET P/merge_trains/:target_branch | scope sort | 200
  GET P/merge_trains/merge_requests/:merge_request_iid | | 200
  POST P/merge_trains/merge_requests/:merge_request_iid | auto_merge when_pipeline_succeeds sha squash | 201 202

  # Search (API, G8)
  GET /search | scope search state confidential order_by sort | 200
  GET /search/counts | search files | 200
  GET G/search/counts | search files | 200
  GET P/search/counts | search files | 200
  GET G/search | scope search state confidential order_by sort | 200
  GET G/-/search | scope search state confidential order_by sort | 200
  GET P/search | scope search ref state confidential order_by sort | 200
  GET P/-/search | scope search ref state confidential order_by sort | 200

  # Markdown (API, G8)
  POST /markdown | text gfm project | 201

  # To-do items (API, G7)
  GET /todos | action author_id project_id group_id state type | 200
  POST /todos/:id/mark_as_done | | 201
  POST /todos/:id/mark_as_pending | | 201
  POST /todos/mark_as_done | action author_id project_id group_id type | 204
  POST P/issues/:issue_iid/todo | | 201 304
  POST P/merge_requests/:merge_request_iid/todo | | 201 304

  # Milestones (API, G4)
  GET P/milestones | iids state title search include_parent_milestones include_ancestors updated_before updated_after | 200
  GET P/milestones/:milestone_id | | 200
  POST P/milestones | title description due_date start_date | 201
  PUT P/milestones/:milestone_id | title description due_date start_date state_event | 200
  DELETE P/milestones/:milestone_id | | 204
  POST P/milestones/:milestone_id/promote | | 200
  GET P/milestones/:milestone_id/issues | | 200
  GET P/milestones/:milestone_id/merge_requests | | 200
  GET G/milestones/:milestone_id/merge_requests | | 200
  GET G/milestones/:milestone_id/issues | | 200
  GET G/milestones | iids state title search include_parent_milestones include_ancestors include_descendants updated_before updated_after | 200
  GET G/milestones/:milestone_id | | 200
  POST G/milestones | title description due_date start_date | 201
  PUT G/milestones/:milestone_id | title description due_date start_date state_event | 200
  DELETE G/milestones/:milestone_id | | 204
`)
