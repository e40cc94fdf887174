import { boot } from '../../../api/boot.js'
import { useTitle } from '../../../frame/document-title.js'
import { PageHeader } from '../../../kit/panel.js'
import { AccessTokens, TOKEN_SCOPES } from '../../../records/access-tokens.js'

const SCOPES = [
  ...TOKEN_SCOPES,
  { name: 'read_user', about: 'Reading your profile' },
  { name: 'sudo', about: 'Acting as other users, for administrators' },
  { name: 'admin_mode', about: 'Administration' },
].filter(({ name }) => boot.user?.is_admin === true || (name !== 'sudo' && name !== 'admin_mode'))

/** The personal access tokens of the user. */
export function Page() {
  useTitle('Access tokens')
  return (
    <>
      <PageHeader
        title="Access tokens"
        details="Tokens for scripts, clients and git, with a part of your rights."
      />
      <AccessTokens
        list={`/personal_access_tokens?user_id=${boot.user?.id ?? 0}&state=active&per_page=50`}
        create="/user/personal_access_tokens"
        single="/personal_access_tokens"
        scopes={SCOPES}
        mayChange
      />
    </>
  )
}
