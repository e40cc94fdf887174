import type { Project, User } from '../../access/caller.js'
import { bulkImportOperations } from '../../bulk-imports/operations.js'
import { branchOperations } from '../../hosting/branches/operations.js'
import { changelogOperations } from '../../hosting/changelogs/operations.js'
import { commitOperations } from '../../hosting/commits/operations.js'
import { deployKeyOperations } from '../../hosting/deploy-keys/operations.js'
import { deployTokenOperations } from '../../hosting/deploy-tokens/operations.js'
import { fileOperations } from '../../hosting/files/operations.js'
import { remoteMirrorOperations } from '../../hosting/mirrors/operations.js'
import { linkBadgeOperations } from '../../hosting/project-badges/operations.js'
import { projectOperations } from '../../hosting/projects/operations.js'
import { protectedBranchOperations, protectedTagOperations } from '../../hosting/protected-refs/operations.js'
import { pullMirrorOperations } from '../../hosting/pull-mirrors/operations.js'
import { pushRuleOperations } from '../../hosting/push-rules/operations.js'
import { releaseOperations } from '../../hosting/releases/operations.js'
import { repositoryOperations } from '../../hosting/repository-contents/operations.js'
import { snippetOperations } from '../../hosting/snippets/operations.js'
import { tagOperations } from '../../hosting/tags/operations.js'
import { templateOperations } from '../../hosting/templates/operations.js'
import { topicOperations } from '../../hosting/topics/operations.js'
import { wikiOperations } from '../../hosting/wikis/operations.js'
import type { Operation } from '../../http/operation.js'
import { linkFinder } from '../../planning/markdown/operations.js'
import { groupWikiDeps } from '../group-wiki-deps.js'
import { linkDeps } from '../link-deps.js'
import type { OperationListDeps } from '../operation-list-deps.js'
import { projectDeps } from '../project-deps.js'
import { mayInProject } from '../services/may-in-project.js'
import type { Services } from '../services/services.js'

/** Projects, and what belongs to their repositories. */
export function listHostingOperations(services: Services, deps: OperationListDeps): Operation[] {
  return [...listProjectOperations(services, deps), ...listRepositoryOperations(services, deps)]
}

/** Projects, their imports and badges, and the credentials of machines that use them. */
export function listProjectOperations(services: Services, deps: OperationListDeps): Operation[] {
  const { database, repositories } = services
  const mayDo = mayInProject(database)
  return [
    ...projectOperations(projectDeps(services, deps)),
    ...bulkImportOperations({
      database,
      secrets: services.secrets,
      egress: services.egress,
      wake: () => services.bulkImports.wake(),
      cancel: (id) => services.bulkImports.cancel(id),
    }),
    ...linkBadgeOperations({ database, repositories }),
    ...topicOperations({ database, avatars: services.avatars, externalUrl: deps.externalUrl }),
    ...pushRuleOperations({ database }),
    ...snippetOperations({
      database,
      snippetRepositories: services.snippetRepositories,
      externalUrl: deps.externalUrl,
    }),
    ...wikiOperations({
      ofProjects: { database, wikiRepositories: services.wikiRepositories },
      ofGroups: groupWikiDeps(services),
      externalUrl: deps.externalUrl,
      linksFor: linkFinder(linkDeps(services, deps)),
    }),
    ...deployTokenOperations({ database }),
    ...deployKeyOperations({ database, mayAdminister: mayAdministerKeys }),
  ]

  async function mayAdministerKeys(user: User, projectId: number): Promise<boolean> {
    const project = await deps.findProject(String(projectId))
    return project !== undefined && mayDo('admin_deploy_keys', user, project)
  }
}

/** Branches, tags, commits, files, protected refs, releases and mirrors. */
export function listRepositoryOperations(services: Services, deps: OperationListDeps): Operation[] {
  const { database, secrets, engine, egress, settings } = services
  const { externalUrl, findProject, pushes } = deps
  const forRefs = { pushes, externalUrl, maxCommitBytes: settings.commitsMaxBytes }
  const mayDo = mayInProject(database)
  return [
    ...protectedBranchOperations({ database }),
    ...protectedTagOperations({ database }),
    ...branchOperations(forRefs),
    ...tagOperations(forRefs),
    ...commitOperations({ ...forRefs, readableProject }),
    ...changelogOperations(forRefs),
    ...fileOperations({ ...forRefs, blobs: services.blobs }),
    ...repositoryOperations({
      ...forRefs,
      wikiRepositories: services.wikiRepositories,
      readableProject,
      findProject,
      archivesPerMinute: settings.rateLimits.archives,
    }),
    ...templateOperations(services.templates, pushes),
    ...releaseOperations({ engine, ...forRefs }),
    ...pullMirrorOperations({ database, secrets, refuses: (address) => egress.refuses(address) }),
    ...remoteMirrorOperations({
      database,
      secrets,
      refuses: (address) => egress.refuses(address),
      wake: () => services.mirrors.wake(),
    }),
  ]

  async function readableProject(user: User, idOrPath: string): Promise<Project | undefined> {
    const project = await findProject(idOrPath)
    return project && (await mayDo('read_code', user, project)) ? project : undefined
  }
}
