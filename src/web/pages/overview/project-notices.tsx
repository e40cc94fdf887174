import { addressOf } from '../../../addresses/address-of.js'
import type { May } from '../../frame/use-abilities.js'
import { Alert } from '../../kit/alert.js'
import { LinkButton } from '../../kit/button.js'
import styles from './project-notices.module.css'
import { RestingHooks } from './resting-hooks.js'
import type { ShownProject } from './shown-project.js'

/** What is special about the state of the project: read-only, being imported, an import that failed, or
 * webhooks that rest. */
export function ProjectNotices({
  project,
  abilities: { may, readOnly },
}: {
  project: ShownProject
  abilities: May
}) {
  const path = project.path_with_namespace
  const importLink = (
    <LinkButton size="small" href={addressOf('projects/import', { project: path })}>
      Show the import
    </LinkButton>
  )
  const { marked_for_deletion_on: deletedOn, import_status: imported } = project
  return (
    <div class={styles['notices']}>
      {deletedOn ? (
        <Alert tone="warning" title="This project is marked for deletion.">
          It was marked on {deletedOn}. Until it is deleted it can only be read. An owner can restore it.
        </Alert>
      ) : (
        readOnly === 'archived' && (
          <Alert tone="warning" title="This project is archived.">
            It can only be read: nobody can push to it or run pipelines. An owner can unarchive it.
          </Alert>
        )
      )}
      {(imported === 'scheduled' || imported === 'started') && (
        <Alert tone="info" title="The repository is being imported." actions={importLink}>
          Its files appear here when the import is complete.
        </Alert>
      )}
      {imported === 'failed' && (
        <Alert tone="error" title="The import has failed." actions={importLink}>
          {project.import_error ?? 'A maintainer sees the reason.'}
        </Alert>
      )}
      {may('admin_hooks') && <RestingHooks project={project} />}
    </div>
  )
}
