import { FilePlus } from 'lucide'

import { addressOf } from '../../../addresses/address-of.js'
import { boot } from '../../api/boot.js'
import type { May } from '../../frame/use-abilities.js'
import { LinkButton } from '../../kit/button.js'
import { CodeBlock } from '../../kit/code-block.js'
import { Empty } from '../../kit/empty.js'
import { Panel } from '../../kit/panel.js'
import styles from './empty-repository.module.css'
import { pushCommands } from './push-commands.js'
import type { ShownProject } from './shown-project.js'

/** How to fill a repository without commits. */
export function EmptyRepository({ project, abilities: { may } }: { project: ShownProject; abilities: May }) {
  if (!may('push_code')) {
    return (
      <Panel isFlush>
        <Empty title="The repository is empty.">A member with the Developer role can push to it.</Empty>
      </Panel>
    )
  }
  const commands = pushCommands({ url: project.http_url_to_repo, folder: project.path })
  return (
    <Panel
      title="The repository is empty"
      actions={
        <LinkButton
          size="small"
          icon={FilePlus}
          href={addressOf('code/new-file', { project: project.path_with_namespace, ref_path: '' })}
        >
          New file
        </LinkButton>
      }
    >
      <div class={styles['ways']}>
        <p>
          Push to it from the command line. Git asks for your user name
          {boot.user && (
            <>
              , <code>{boot.user.username}</code>,
            </>
          )}{' '}
          and an <a href={addressOf('account/tokens', {})}>access token</a> with the scope{' '}
          <code>write_repository</code> as the password.
        </p>
        {commands.map(({ title, text }) => (
          <section key={title}>
            <h3>{title}</h3>
            <CodeBlock text={text} label={title.toLowerCase()} />
          </section>
        ))}
      </div>
    </Panel>
  )
}
