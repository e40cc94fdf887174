import type { AccountLinkTable } from './account-links.js'
import type { ActivityTable } from './activity-events.js'
import type { ApplicationSettingTable } from './application-settings.js'
import type { OauthApplicationTable } from './applications.js'
import type {
  ApprovalRuleBranchTable,
  ApprovalRuleGroupTable,
  ApprovalRuleTable,
  ApprovalRuleUserTable,
  MergeRequestCodeOwnersTable,
} from './approval-rules.js'
import type { ArtifactLockTable } from './artifact-locks.js'
import type { JobArtifactTable } from './artifacts.js'
import type { AuditEventTable, AuditIntentTable } from './audit-events.js'
import type { AwardEmojiTable } from './award-emoji.js'
import type { BoardLabelTable, BoardListTable, BoardTable } from './boards.js'
import type { BroadcastMessageTable } from './broadcast-messages.js'
import type { BulkImportEntityTable, BulkImportItemTable, BulkImportTable } from './bulk-imports.js'
import type { CacheArchiveTable } from './caches.js'
import type { CommitStatusTable } from './commit-statuses.js'
import type { ContextCommitTable } from './context-commits.js'
import type { CoordinatorTable } from './coordinators.js'
import type { DeployKeyProjectTable, DeployKeyTable } from './deploy-keys.js'
import type { DeployTokenTable } from './deploy-tokens.js'
import type {
  BridgeTaskTable,
  DownstreamPipelineTable,
  MirroredPipelineTable,
  ProjectDependencyTable,
} from './downstream.js'
import type { DraftNoteTable } from './draft-notes.js'
import type {
  DeploymentCounterTable,
  DeploymentMergeRequestTable,
  DeploymentMergeRequestTaskTable,
  DeploymentTable,
  EnvironmentTable,
} from './environments.js'
import type { EpicIssueTable, EpicLinkTable, EpicTable } from './epics.js'
import type { FailedAttemptTable } from './failed-attempts.js'
import type {
  FeatureFlagClientTable,
  FeatureFlagStrategyTable,
  FeatureFlagTable,
  FeatureFlagUserListTable,
} from './feature-flags.js'
import type { FreezePeriodTable } from './freeze-periods.js'
import type { ShareTable } from './group-shares.js'
import type { InstanceSettingTable } from './instance-settings.js'
import type {
  ChatNameCodeTable,
  ChatNameTable,
  ChatReplyTable,
  ExternalBuildTable,
  IntegrationTable,
} from './integrations.js'
import type { IssueAssigneeTable, IssueLinkTable, IssueSubscriptionTable, IssueTable } from './issues.js'
import type { JobHoldTable } from './job-holds.js'
import type { JobTerminalTable } from './job-terminals.js'
import type { JobTokenGroupTable, JobTokenProjectTable } from './job-token-scope.js'
import type { IssueLabelTable, LabelPriorityTable, LabelSubscriptionTable, LabelTable } from './labels.js'
import type { LfsLockTable, LfsObjectTable } from './lfs.js'
import type { MailNoticeTable, MailTable } from './mails.js'
import type { AccessRequestTable, InvitationTable, MemberTable, ProviderMembershipTable } from './members.js'
import type { MergeRequestTaskTable } from './merge-request-tasks.js'
import type {
  MergeRequestApprovalTable,
  MergeRequestAssigneeTable,
  MergeRequestIssueTable,
  MergeRequestLabelTable,
  MergeRequestRefreshTable,
  MergeRequestReviewerTable,
  MergeRequestSubscriptionTable,
  MergeRequestTable,
  MergeRequestVersionTable,
} from './merge-requests.js'
import type { MergeTrainCarTable, MergeTrainTable, MergeTrainTestTable } from './merge-trains.js'
import type { MilestoneTable, ReleaseMilestoneTable } from './milestones.js'
import type { NoteTable } from './notes.js'
import type { NotificationSettingTable } from './notification-settings.js'
import type { OauthDeviceRequestTable, OauthGrantTable, OauthTokenTable } from './oauth.js'
import type { OrphanedBlobTable } from './orphaned-blobs.js'
import type { PipelineScheduleTable, PipelineScheduleVariableTable } from './pipeline-schedules.js'
import type {
  JobNeedTable,
  JobTable,
  JobVariableTable,
  PipelineTable,
  PipelineVariableTable,
  StageTable,
} from './pipelines.js'
import type {
  BadgeTable,
  CustomAttributeTable,
  GroupRemovalTable,
  GroupTreeTable,
  NamespaceTable,
  ProjectExportTable,
  ProjectImportProblemTable,
  ProjectImportTable,
  ProjectLanguageTable,
  ProjectStarTable,
  ProjectStatisticsTable,
  ProjectTable,
  ProjectTopicTable,
  ProjectUploadTable,
  RemovedProjectTable,
} from './projects.js'
import type {
  DeploymentApprovalTable,
  ProtectedEnvironmentEntryTable,
  ProtectedEnvironmentTable,
} from './protected-environments.js'
import type { ProtectedRefAccessTable, ProtectedRefTable } from './protected-refs.js'
import type { PullMirrorTable } from './pull-mirrors.js'
import type { PushRuleTable } from './push-rules.js'
import type { QueueWaitTable, RunnerUseTable, RunnerWaitTable } from './queue-waits.js'
import type { LeaseTable, QueueEntryTable, TagSetTable } from './queue.js'
import type { RedirectTable } from './redirects.js'
import type { ReleaseEvidenceTable, ReleaseLinkTable, ReleaseTable } from './releases.js'
import type { RemoteMirrorTable } from './remote-mirrors.js'
import type { RemovedJobTable } from './removed-jobs.js'
import type { ProjectFetchTable, PushTable } from './repositories.js'
import type { ResourceEventTable } from './resource-events.js'
import type { ResourceGroupTable } from './resource-groups.js'
import type { RetentionRemovalTable } from './retention.js'
import type { RunnerSessionTable } from './runner-sessions.js'
import type { RunnerManagerTable, RunnerProjectTable, RunnerTable } from './runners.js'
import type { ScimGroupMemberTable, ScimGroupTable, ScimTokenTable, ScimUserTable } from './scim.js'
import type {
  PasskeyChallengeTable,
  PasskeyTable,
  PendingSignInTable,
  RecoveryCodeTable,
  TotpFactorTable,
  TwoFactorDemandTable,
} from './second-factors.js'
import type { SecureFileTable } from './secure-files.js'
import type {
  ProvenSignInTable,
  SignInLinkTable,
  TermsAcceptanceTable,
  UsedSignInTokenTable,
  WebSessionTable,
} from './sessions.js'
import type { SiteDeploymentTable } from './site-deployments.js'
import type { SnippetTable } from './snippets.js'
import type { StatusCheckBranchTable, StatusCheckResponseTable, StatusCheckTable } from './status-checks.js'
import type { StoredLogTable } from './stored-logs.js'
import type { SuggestionTable } from './suggestions.js'
import type { TestCaseTable, TestFailureTable, TestReportTable } from './test-reports.js'
import type { TextDueTable, TextIndexTable } from './text-indexes.js'
import type { TodoTable } from './todos.js'
import type { TopicTable } from './topics.js'
import type { TraceSecretTable } from './trace-secrets.js'
import type { TriggerTokenTable } from './triggers.js'
import type {
  BotUserTable,
  GpgKeyTable,
  PersonalAccessTokenTable,
  SshKeyTable,
  UserEmailTable,
  UserFollowTable,
  UserIdentityTable,
  UserPasswordTable,
  UserProfileTable,
  UserRemovalTable,
  UserStatusTable,
  UserTable,
} from './users.js'
import type { CiVariableTable } from './variables.js'
import type { ViewedFileTable } from './viewed-files.js'
import type { HookDeliveryTable, HookEventTable, HookLogTable, WebHookTable } from './webhooks.js'
import type { GroupWikiTable, WikiPageTable, WikiTable } from './wikis.js'

/** All tables of the coordinator, by name. */
export interface Tables {
  instance_setting: InstanceSettingTable
  application_setting: ApplicationSettingTable
  activity: ActivityTable
  remote_mirror: RemoteMirrorTable
  audit_event: AuditEventTable
  audit_intent: AuditIntentTable
  award_emoji: AwardEmojiTable
  todo: TodoTable
  resource_event: ResourceEventTable
  failed_attempt: FailedAttemptTable
  user: UserTable
  user_profile: UserProfileTable
  user_password: UserPasswordTable
  user_status: UserStatusTable
  user_identity: UserIdentityTable
  user_email: UserEmailTable
  user_follow: UserFollowTable
  user_removal: UserRemovalTable
  ssh_key: SshKeyTable
  gpg_key: GpgKeyTable
  personal_access_token: PersonalAccessTokenTable
  bot_user: BotUserTable
  namespace: NamespaceTable
  group_tree: GroupTreeTable
  group_removal: GroupRemovalTable
  project: ProjectTable
  old_path: RedirectTable
  job_token_project: JobTokenProjectTable
  job_token_group: JobTokenGroupTable
  project_topic: ProjectTopicTable
  topic: TopicTable
  project_star: ProjectStarTable
  project_import: ProjectImportTable
  project_import_problem: ProjectImportProblemTable
  project_export: ProjectExportTable
  project_upload: ProjectUploadTable
  secure_file: SecureFileTable
  freeze_period: FreezePeriodTable
  feature_flag: FeatureFlagTable
  feature_flag_client: FeatureFlagClientTable
  feature_flag_strategy: FeatureFlagStrategyTable
  feature_flag_user_list: FeatureFlagUserListTable
  project_measure: ProjectStatisticsTable
  project_language: ProjectLanguageTable
  removed_project: RemovedProjectTable
  badge: BadgeTable
  broadcast_message: BroadcastMessageTable
  bulk_import: BulkImportTable
  bulk_import_entity: BulkImportEntityTable
  bulk_import_item: BulkImportItemTable
  custom_attribute: CustomAttributeTable
  member: MemberTable
  provider_membership: ProviderMembershipTable
  share: ShareTable
  access_request: AccessRequestTable
  invitation: InvitationTable
  protected_ref: ProtectedRefTable
  push_rule: PushRuleTable
  snippet: SnippetTable
  wiki: WikiTable
  wiki_page: WikiPageTable
  group_wiki: GroupWikiTable
  chat_name: ChatNameTable
  chat_name_code: ChatNameCodeTable
  chat_reply: ChatReplyTable
  external_build: ExternalBuildTable
  integration: IntegrationTable
  pull_mirror: PullMirrorTable
  notification_setting: NotificationSettingTable
  account_link: AccountLinkTable
  web_session: WebSessionTable
  scim_token: ScimTokenTable
  scim_user: ScimUserTable
  scim_group: ScimGroupTable
  scim_group_member: ScimGroupMemberTable
  used_sign_in_token: UsedSignInTokenTable
  proven_sign_in: ProvenSignInTable
  sign_in_link: SignInLinkTable
  terms_acceptance: TermsAcceptanceTable
  totp_factor: TotpFactorTable
  recovery_code: RecoveryCodeTable
  passkey: PasskeyTable
  passkey_challenge: PasskeyChallengeTable
  two_factor_demand: TwoFactorDemandTable
  pending_sign_in: PendingSignInTable
  mail: MailTable
  mail_notice: MailNoticeTable
  lfs_object: LfsObjectTable
  lfs_lock: LfsLockTable
  protected_ref_access: ProtectedRefAccessTable
  deploy_token: DeployTokenTable
  oauth_application: OauthApplicationTable
  oauth_grant: OauthGrantTable
  oauth_token: OauthTokenTable
  oauth_device_request: OauthDeviceRequestTable
  deploy_key: DeployKeyTable
  deploy_key_project: DeployKeyProjectTable
  ci_variable: CiVariableTable
  runner: RunnerTable
  runner_manager: RunnerManagerTable
  runner_project: RunnerProjectTable
  push: PushTable
  project_fetch: ProjectFetchTable
  pipeline_schedule: PipelineScheduleTable
  pipeline_schedule_variable: PipelineScheduleVariableTable
  trigger_token: TriggerTokenTable
  pipeline: PipelineTable
  pipeline_variable: PipelineVariableTable
  stage: StageTable
  resource_group: ResourceGroupTable
  release: ReleaseTable
  release_link: ReleaseLinkTable
  release_evidence: ReleaseEvidenceTable
  issue: IssueTable
  issue_assignee: IssueAssigneeTable
  issue_link: IssueLinkTable
  issue_subscription: IssueSubscriptionTable
  issue_text: TextIndexTable
  issue_text_due: TextDueTable
  milestone: MilestoneTable
  note: NoteTable
  draft_note: DraftNoteTable
  viewed_file: ViewedFileTable
  site_deployment: SiteDeploymentTable
  suggestion: SuggestionTable
  release_milestone: ReleaseMilestoneTable
  label: LabelTable
  label_priority: LabelPriorityTable
  label_subscription: LabelSubscriptionTable
  issue_label: IssueLabelTable
  merge_request: MergeRequestTable
  merge_request_approval: MergeRequestApprovalTable
  merge_request_code_owners: MergeRequestCodeOwnersTable
  approval_rule: ApprovalRuleTable
  approval_rule_user: ApprovalRuleUserTable
  approval_rule_group: ApprovalRuleGroupTable
  approval_rule_branch: ApprovalRuleBranchTable
  merge_request_assignee: MergeRequestAssigneeTable
  merge_request_context_commit: ContextCommitTable
  merge_request_issue: MergeRequestIssueTable
  merge_request_label: MergeRequestLabelTable
  merge_request_refresh: MergeRequestRefreshTable
  merge_request_task: MergeRequestTaskTable
  merge_train: MergeTrainTable
  merge_train_car: MergeTrainCarTable
  merge_train_test: MergeTrainTestTable
  merge_request_text: TextIndexTable
  merge_request_text_due: TextDueTable
  merge_request_reviewer: MergeRequestReviewerTable
  merge_request_subscription: MergeRequestSubscriptionTable
  merge_request_version: MergeRequestVersionTable
  external_status_check: StatusCheckTable
  external_status_check_branch: StatusCheckBranchTable
  external_status_check_response: StatusCheckResponseTable
  board: BoardTable
  board_label: BoardLabelTable
  board_list: BoardListTable
  epic: EpicTable
  epic_issue: EpicIssueTable
  epic_link: EpicLinkTable
  environment: EnvironmentTable
  deployment: DeploymentTable
  deployment_approval: DeploymentApprovalTable
  protected_environment: ProtectedEnvironmentTable
  protected_environment_entry: ProtectedEnvironmentEntryTable
  deployment_counter: DeploymentCounterTable
  deployment_merge_request: DeploymentMergeRequestTable
  deployment_merge_request_task: DeploymentMergeRequestTaskTable
  job: JobTable
  job_need: JobNeedTable
  job_hold: JobHoldTable
  job_terminal: JobTerminalTable
  job_variable: JobVariableTable
  commit_status: CommitStatusTable
  downstream_pipeline: DownstreamPipelineTable
  mirrored_pipeline: MirroredPipelineTable
  project_dependency: ProjectDependencyTable
  bridge_task: BridgeTaskTable
  job_artifact: JobArtifactTable
  removed_job: RemovedJobTable
  stored_log: StoredLogTable
  orphaned_blob: OrphanedBlobTable
  artifact_lock: ArtifactLockTable
  test_report: TestReportTable
  test_case: TestCaseTable
  test_failure: TestFailureTable
  cache_archive: CacheArchiveTable
  coordinator: CoordinatorTable
  queue_entry: QueueEntryTable
  tag_set: TagSetTable
  queue_wait: QueueWaitTable
  runner_wait: RunnerWaitTable
  runner_use: RunnerUseTable
  retention_removal: RetentionRemovalTable
  lease: LeaseTable
  trace_secret: TraceSecretTable
  runner_session: RunnerSessionTable
  web_hook: WebHookTable
  hook_event: HookEventTable
  hook_delivery: HookDeliveryTable
  hook_log: HookLogTable
}
