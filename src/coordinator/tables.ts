import type { InstanceSettingTable } from './database/table.js'
import type { CommitStatusTable } from './engine/commit-statuses/table.js'
import type {
  BridgeTaskTable,
  DownstreamPipelineTable,
  MirroredPipelineTable,
  ProjectDependencyTable,
} from './engine/downstream/tables.js'
import type {
  DeploymentApprovalTable,
  ProtectedEnvironmentEntryTable,
  ProtectedEnvironmentTable,
} from './engine/environments/protection/table.js'
import type {
  DeploymentCounterTable,
  DeploymentTable,
  EnvironmentTable,
} from './engine/environments/table.js'
import type { ResourceGroupTable } from './engine/resource-groups/table.js'
import type {
  JobNeedTable,
  JobTable,
  JobVariableTable,
  PipelineTable,
  PipelineVariableTable,
  StageTable,
} from './engine/tables.js'
import type { ActivityTable } from './events/activity/table.js'
import type { HookDeliveryTable, HookEventTable, HookLogTable, WebHookTable } from './events/outbox/tables.js'
import type { FailedAttemptTable } from './http/rate-limits/table.js'
import type { OauthDeviceRequestTable, OauthGrantTable, OauthTokenTable } from './oauth/tables.js'
import type { OldPathTable } from './paths/table.js'
import type { LeaseTable, QueueEntryTable, TagSetTable } from './queue/tables.js'
import type { ProjectFetchTable, PushTable } from './repositories/table.js'
import type { OauthApplicationTable } from './resources/applications/table.js'
import type { AuditEventTable, AuditIntentTable } from './resources/audit-events/table.js'
import type { CommitCommentTable } from './resources/commits/table.js'
import type { DeployKeyProjectTable, DeployKeyTable } from './resources/deploy-keys/table.js'
import type { DeployTokenTable } from './resources/deploy-tokens/table.js'
import type { TraceSecretTable } from './resources/jobs/trace/table.js'
import type { AccessRequestTable, InvitationTable, MemberTable } from './resources/members/table.js'
import type { ShareTable } from './resources/namespaces/shares/table.js'
import type {
  PipelineScheduleTable,
  PipelineScheduleVariableTable,
} from './resources/pipeline-schedules/table.js'
import type { JobTokenGroupTable, JobTokenProjectTable } from './resources/projects/job-token-scope/table.js'
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
  ProjectMeasureTable,
  ProjectStarTable,
  ProjectTable,
  ProjectTopicTable,
  ProjectUploadTable,
  RemovedProjectTable,
} from './resources/projects/table.js'
import type { ProtectedRefAccessTable, ProtectedRefTable } from './resources/protected-branches/table.js'
import type { ReleaseLinkTable, ReleaseTable } from './resources/releases/table.js'
import type { RemoteMirrorTable } from './resources/remote-mirrors/table.js'
import type { RunnerManagerTable, RunnerProjectTable, RunnerTable } from './resources/runners/table.js'
import type { SecureFileTable } from './resources/secure-files/table.js'
import type { TriggerTokenTable } from './resources/triggers/table.js'
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
} from './resources/users/table.js'
import type { CiVariableTable } from './resources/variables/table.js'
import type { ArtifactLockTable } from './storage/artifacts/artifact-lock-table.js'
import type { JobArtifactTable } from './storage/artifacts/table.js'
import type { TestReportTable } from './storage/artifacts/test-report-table.js'
import type { CacheArchiveTable } from './storage/caches/cache-table.js'
import type { RemovedJobTable } from './storage/removed-job-table.js'

/** Every table of the coordinator, by name. */
export interface Tables {
  instance_setting: InstanceSettingTable
  activity: ActivityTable
  remote_mirror: RemoteMirrorTable
  audit_event: AuditEventTable
  audit_intent: AuditIntentTable
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
  old_path: OldPathTable
  job_token_project: JobTokenProjectTable
  job_token_group: JobTokenGroupTable
  project_topic: ProjectTopicTable
  project_star: ProjectStarTable
  project_import: ProjectImportTable
  project_import_problem: ProjectImportProblemTable
  project_export: ProjectExportTable
  project_upload: ProjectUploadTable
  secure_file: SecureFileTable
  project_measure: ProjectMeasureTable
  project_language: ProjectLanguageTable
  removed_project: RemovedProjectTable
  badge: BadgeTable
  custom_attribute: CustomAttributeTable
  member: MemberTable
  share: ShareTable
  access_request: AccessRequestTable
  invitation: InvitationTable
  protected_ref: ProtectedRefTable
  protected_ref_access: ProtectedRefAccessTable
  deploy_token: DeployTokenTable
  oauth_application: OauthApplicationTable
  oauth_grant: OauthGrantTable
  oauth_token: OauthTokenTable
  oauth_device_request: OauthDeviceRequestTable
  deploy_key: DeployKeyTable
  deploy_key_project: DeployKeyProjectTable
  commit_comment: CommitCommentTable
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
  environment: EnvironmentTable
  deployment: DeploymentTable
  deployment_approval: DeploymentApprovalTable
  protected_environment: ProtectedEnvironmentTable
  protected_environment_entry: ProtectedEnvironmentEntryTable
  deployment_counter: DeploymentCounterTable
  job: JobTable
  job_need: JobNeedTable
  job_variable: JobVariableTable
  commit_status: CommitStatusTable
  downstream_pipeline: DownstreamPipelineTable
  mirrored_pipeline: MirroredPipelineTable
  project_dependency: ProjectDependencyTable
  bridge_task: BridgeTaskTable
  job_artifact: JobArtifactTable
  removed_job: RemovedJobTable
  artifact_lock: ArtifactLockTable
  test_report: TestReportTable
  cache_archive: CacheArchiveTable
  queue_entry: QueueEntryTable
  tag_set: TagSetTable
  lease: LeaseTable
  trace_secret: TraceSecretTable
  web_hook: WebHookTable
  hook_event: HookEventTable
  hook_delivery: HookDeliveryTable
  hook_log: HookLogTable
}
