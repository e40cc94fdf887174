import { useState } from 'preact/hooks'

import { boot } from '../../api/boot.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { Alert } from '../../kit/alert.js'
import { Button } from '../../kit/button.js'
import { CodeBlock } from '../../kit/code-block.js'
import { Dialog } from '../../kit/dialog.js'
import { tokenRequest, urlWithToken } from './clone-token.js'
import type { ShownProject } from './shown-project.js'

/** Makes a token that can only read repositories, and shows the command that clones with it. */
export function CloneTokenDialog({ project, onClose }: { project: ShownProject; onClose: () => void }) {
  const [token, setToken] = useState<string>()
  const create = useAction(async () => {
    const made = await requestJson<{ token: string }>('/user/personal_access_tokens', {
      method: 'POST',
      body: tokenRequest(project.path_with_namespace, new Date()),
    })
    setToken(made.token)
    await refresh('/personal_access_tokens')
  })
  const url = token && urlWithToken(project.http_url_to_repo, boot.user?.username ?? '', token)
  return (
    <Dialog
      title="Token to clone"
      onClose={onClose}
      actions={
        token === undefined ? (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" isBusy={create.isBusy} onClick={() => void create.run()}>
              Create token
            </Button>
          </>
        ) : (
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        )
      }
    >
      {create.error && <Alert tone="error" title={create.error.message} />}
      {url === undefined ? (
        <p>
          The token has the scope <code>read_repository</code>: it reads the repositories that you can read.
          It ends in 30 days, and you can revoke it in your account at any time.
        </p>
      ) : (
        <>
          <p>
            This is the only time that the token is shown. Git keeps it in the configuration of the clone.
          </p>
          <CodeBlock text={`git clone ${url}`} label="clone command" />
        </>
      )}
    </Dialog>
  )
}
