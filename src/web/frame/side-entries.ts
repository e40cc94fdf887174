import {
  AppWindow,
  Archive,
  Bell,
  BookOpen,
  Boxes,
  CalendarClock,
  CircleDot,
  FileCode,
  FlaskConical,
  FolderTree,
  GitBranch,
  GitCommitHorizontal,
  GitPullRequestArrow,
  Globe,
  Goal,
  House,
  type IconNode,
  Key,
  ListChecks,
  Lock,
  MessagesSquare,
  Monitor,
  Play,
  Rocket,
  Scissors,
  ScrollText,
  Server,
  Settings,
  Shield,
  ShieldCheck,
  SlidersHorizontal,
  SquareKanban,
  SquarePen,
  Tag,
  User,
  Users,
  Webhook,
  Workflow,
} from 'lucide'

import { addressOf } from '../../addresses/address-of.js'
import type { PageName } from '../../addresses/page-table.js'
import type { May } from './use-abilities.js'

export interface SideEntry {
  label: string
  icon: IconNode
  href: string
  /** Beginnings of page names at which the entry is the current one; the first entry that matches counts. */
  pages: readonly string[]
  isInner?: boolean
}

/** Entries of a project that the user may open. */
export function projectEntries(project: string, { may }: Pick<May, 'may'>): SideEntry[] {
  const at = (page: PageName) => addressOf(page, { project } as never)
  const entries: (SideEntry & { needs?: string })[] = [
    { label: 'Overview', icon: House, href: `/${project}`, pages: ['overview'] },
    {
      label: 'Files',
      icon: FileCode,
      href: at('code/tree'),
      pages: ['code/tree', 'code/fi', 'code/blame', 'code/edit', 'code/new-file', 'code/search'],
      needs: 'read_code',
    },
    {
      label: 'Commits',
      icon: GitCommitHorizontal,
      href: at('code/commits'),
      pages: ['code/commit', 'code/compar'],
      needs: 'read_code',
    },
    {
      label: 'Branches',
      icon: GitBranch,
      href: at('code/branches'),
      pages: ['code/branches'],
      needs: 'read_code',
    },
    { label: 'Tags', icon: Tag, href: at('code/tags'), pages: ['code/tag'], needs: 'read_code' },
    {
      label: 'Issues',
      icon: CircleDot,
      href: at('issues/list'),
      pages: ['issues/i', 'issues/l', 'issues/m', 'issues/n'],
      needs: 'read_issues',
    },
    {
      label: 'Boards',
      icon: SquareKanban,
      href: at('issues/boards'),
      pages: ['issues/board'],
      needs: 'read_issues',
    },
    {
      label: 'Merge requests',
      icon: GitPullRequestArrow,
      href: at('merge-requests/list'),
      pages: ['merge-requests/'],
      needs: 'read_merge_requests',
    },
    {
      label: 'Pipelines',
      icon: Workflow,
      href: at('pipelines/list'),
      pages: ['pipelines/', 'jobs/job', 'jobs/artifact'],
      needs: 'read_pipelines',
    },
    { label: 'Jobs', icon: ListChecks, href: at('jobs/list'), pages: ['jobs/'], needs: 'read_pipelines' },
    {
      label: 'Releases',
      icon: Rocket,
      href: at('releases/list'),
      pages: ['releases/'],
      needs: 'read_releases',
    },
    { label: 'Wiki', icon: BookOpen, href: at('wikis/page'), pages: ['wikis/'], needs: 'read_wiki' },
    {
      label: 'Snippets',
      icon: Scissors,
      href: at('snippets/list'),
      pages: ['snippets/'],
      needs: 'read_snippets',
    },
    {
      label: 'Pipeline editor',
      icon: SquarePen,
      href: at('editor/edit'),
      pages: ['editor/'],
      needs: 'read_code',
    },
    {
      label: 'Tests',
      icon: FlaskConical,
      href: at('tests/list'),
      pages: ['tests/'],
      needs: 'read_pipelines',
    },
    {
      label: 'Environments',
      icon: Globe,
      href: at('environments/list'),
      pages: ['environments/'],
      needs: 'read_environments',
    },
    {
      label: 'Schedules',
      icon: CalendarClock,
      href: at('schedules/list'),
      pages: ['schedules/'],
      needs: 'read_pipelines',
    },
    { label: 'Runners', icon: Server, href: at('runners/list'), pages: ['runners/'], needs: 'admin_runners' },
    {
      label: 'Members',
      icon: Users,
      href: at('settings/members'),
      pages: ['settings/members'],
      needs: 'read_members',
    },
    {
      label: 'Settings',
      icon: Settings,
      href: at('settings/general'),
      pages: ['settings/'],
      needs: 'edit_project',
    },
  ]
  return entries.filter(({ needs }) => needs === undefined || may(needs))
}

/** Entries of a group that the user may open. */
export function groupEntries(group: string, { may }: Pick<May, 'may'>): SideEntry[] {
  const entries: (SideEntry & { needs?: string })[] = [
    { label: 'Overview', icon: House, href: `/${group}`, pages: ['overview'] },
    {
      label: 'Issues',
      icon: CircleDot,
      href: addressOf('issues/of-group', { group }),
      pages: ['issues/of-group', 'issues/group-l', 'issues/group-m'],
    },
    {
      label: 'Boards',
      icon: SquareKanban,
      href: addressOf('issues/group-boards', { group }),
      pages: ['issues/group-board'],
    },
    {
      label: 'Epics',
      icon: Goal,
      href: addressOf('issues/epics', { group }),
      pages: ['issues/epic', 'issues/new-epic'],
    },
    {
      label: 'Merge requests',
      icon: GitPullRequestArrow,
      href: addressOf('merge-requests/of-group', { group }),
      pages: ['merge-requests/'],
    },
    {
      label: 'Pipelines',
      icon: Workflow,
      href: addressOf('groups/pipelines', { group }),
      pages: ['groups/pipelines'],
    },
    {
      label: 'Wiki',
      icon: BookOpen,
      href: addressOf('wikis/group-page', { group, slug: '' }),
      pages: ['wikis/'],
      needs: 'read_group_wiki',
    },
    {
      label: 'Members',
      icon: Users,
      href: addressOf('groups/members', { group }),
      pages: ['groups/members'],
    },
    {
      label: 'Runners',
      icon: Server,
      href: addressOf('groups/runners', { group }),
      pages: ['groups/runner'],
      needs: 'admin_group_runners',
    },
    {
      label: 'CI/CD settings',
      icon: Lock,
      href: addressOf('groups/ci-settings', { group }),
      pages: ['groups/ci-settings'],
      needs: 'admin_group_protected_environments',
    },
    {
      label: 'Access tokens',
      icon: Key,
      href: addressOf('groups/access-tokens', { group }),
      pages: ['groups/access-tokens'],
      needs: 'admin_group',
    },
    {
      label: 'Webhooks',
      icon: Webhook,
      href: addressOf('groups/hooks', { group }),
      pages: ['groups/hook'],
      needs: 'admin_group_hooks',
    },
    {
      label: 'Audit events',
      icon: ScrollText,
      href: addressOf('groups/audit', { group }),
      pages: ['groups/audit'],
      needs: 'read_group_audit_events',
    },
    {
      label: 'Repositories',
      icon: FileCode,
      href: addressOf('groups/repository-settings', { group }),
      pages: ['groups/repository-settings'],
      needs: 'admin_group',
    },
    {
      label: 'Settings',
      icon: Settings,
      href: addressOf('groups/settings', { group }),
      pages: ['groups/settings'],
      needs: 'admin_group',
    },
  ]
  return entries.filter(({ needs }) => needs === undefined || may(needs))
}

/** Entries of the administration. */
export function adminEntries(): SideEntry[] {
  return [
    {
      label: 'Overview',
      icon: House,
      href: addressOf('admin/overview', {}),
      pages: ['admin/overview', 'admin/set-up'],
    },
    { label: 'Users', icon: Users, href: addressOf('admin/users', {}), pages: ['admin/user'] },
    { label: 'Projects', icon: Boxes, href: addressOf('admin/projects', {}), pages: ['admin/projects'] },
    { label: 'Groups', icon: FolderTree, href: addressOf('admin/groups', {}), pages: ['admin/groups'] },
    { label: 'Runners', icon: Server, href: addressOf('admin/runners', {}), pages: ['admin/runner'] },
    { label: 'Jobs', icon: Play, href: addressOf('admin/jobs', {}), pages: ['admin/jobs'] },
    { label: 'Audit events', icon: ScrollText, href: addressOf('admin/audit', {}), pages: ['admin/audit'] },
    { label: 'Backups', icon: Archive, href: addressOf('admin/backups', {}), pages: ['admin/backups'] },
    {
      label: 'Settings',
      icon: Settings,
      href: addressOf('admin/settings', {}),
      pages: ['admin/settings'],
    },
    {
      label: 'CI/CD variables',
      icon: Lock,
      href: addressOf('admin/variables', {}),
      pages: ['admin/variables'],
    },
    {
      label: 'Messages',
      icon: Bell,
      href: addressOf('admin/broadcast-messages', {}),
      pages: ['admin/broadcast-messages'],
    },
    { label: 'Topics', icon: Tag, href: addressOf('admin/topics', {}), pages: ['admin/topics'] },
    { label: 'System hooks', icon: Webhook, href: addressOf('admin/hooks', {}), pages: ['admin/hook'] },
    {
      label: 'Applications',
      icon: AppWindow,
      href: addressOf('admin/applications', {}),
      pages: ['admin/applications'],
    },
    // A page of the coordinator itself, which works without scripts.
    { label: 'Identity providers', icon: Key, href: '/users/auth', pages: [] },
  ]
}

/** Entries of the settings of the own account. */
export function accountEntries(): SideEntry[] {
  return [
    { label: 'Profile', icon: User, href: addressOf('account/profile', {}), pages: ['account/profile'] },
    {
      label: 'Preferences',
      icon: SlidersHorizontal,
      href: addressOf('account/preferences', {}),
      pages: ['account/preferences'],
    },
    {
      label: 'Notifications',
      icon: Bell,
      href: addressOf('account/notifications', {}),
      pages: ['account/notifications'],
    },
    { label: 'Password', icon: Lock, href: addressOf('account/password', {}), pages: ['account/password'] },
    {
      label: 'Two-factor sign-in',
      icon: ShieldCheck,
      href: addressOf('account/two-factor', {}),
      pages: ['account/two-factor'],
    },
    { label: 'Access tokens', icon: Key, href: addressOf('account/tokens', {}), pages: ['account/tokens'] },
    {
      label: 'Sessions',
      icon: Monitor,
      href: addressOf('account/sessions', {}),
      pages: ['account/sessions'],
    },
    { label: 'SSH keys', icon: Shield, href: addressOf('account/ssh-keys', {}), pages: ['account/ssh-keys'] },
    {
      label: 'GPG keys',
      icon: Key,
      href: addressOf('account/gpg-keys', {}),
      pages: ['account/gpg-keys'],
    },
    {
      label: 'Applications',
      icon: AppWindow,
      href: addressOf('account/applications', {}),
      pages: ['account/applications'],
    },
    {
      label: 'Chat accounts',
      icon: MessagesSquare,
      href: addressOf('account/chat-names', {}),
      pages: ['account/chat-names'],
    },
  ]
}
