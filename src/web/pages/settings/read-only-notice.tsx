import { useProjectAbilities } from '../../frame/use-abilities.js'
import { Alert } from '../../kit/alert.js'
import styles from './settings-tabs.module.css'

/** Why the settings of a project cannot be changed now, and who can make it writable. */
export function ReadOnlyNotice({ project }: { project: string }) {
  const { reasonAgainst, may } = useProjectAbilities(project)
  const reason = reasonAgainst('edit_project')
  if (reason === undefined) return null
  return (
    <div class={styles['notice']}>
      <Alert tone="warning" title={reason}>
        Members, tokens and keys can be removed, and nothing else can be changed.{' '}
        {may('remove_project')
          ? 'You can end this in the general settings, under "Advanced".'
          : 'An owner can end this.'}
      </Alert>
    </div>
  )
}
