import { describe, expect, test } from 'vitest'

import { containerOf, planned } from './planned-pod.js'

const contextOf = (settings: object, container = 'build') =>
  containerOf(planned({ settings }), container).securityContext

describe('security contexts', () => {
  test('take from all containers what builds do not need', () => {
    for (const container of ['build', 'helper']) {
      expect(contextOf({}, container)).toMatchObject({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['AUDIT_WRITE', 'MKNOD', 'NET_RAW'] },
      })
    }
  })

  test('add rights to the containers of the job alone', () => {
    const settings = { privileged: true, capAdd: ['NET_RAW', 'SYS_PTRACE'], capDrop: ['CHOWN'] }
    expect(contextOf(settings)).toMatchObject({
      privileged: true,
      allowPrivilegeEscalation: undefined,
      capabilities: { add: ['NET_RAW', 'SYS_PTRACE'], drop: ['CHOWN', 'AUDIT_WRITE', 'MKNOD'] },
    })
    const helper = contextOf(settings, 'helper')
    expect(helper?.privileged).toBeUndefined()
    expect(helper?.capabilities).toMatchObject({
      add: undefined,
      drop: expect.arrayContaining(['CHOWN']) as unknown,
    })
  })

  test('of a container overrule those of all', () => {
    const settings = {
      privileged: true,
      capAdd: ['SYS_PTRACE'],
      buildSecurityContext: { privileged: false, capabilities: { drop: ['ALL'] }, runAsUser: 5 },
    }
    expect(contextOf(settings)).toMatchObject({
      privileged: false,
      runAsUser: 5,
      capabilities: { add: ['SYS_PTRACE'], drop: ['ALL'] },
    })
  })

  test('let processes get more rights if the settings say so', () => {
    expect(contextOf({ allowPrivilegeEscalation: true })).toMatchObject({ allowPrivilegeEscalation: true })
    expect(contextOf({ allowPrivilegeEscalation: true }, 'helper')).toMatchObject({
      allowPrivilegeEscalation: false,
    })
  })

  test.each([
    ['root by default, whatever its image says', {}, 0],
    ['the user of the pod', { podSecurityContext: { runAsUser: 5 } }, undefined],
    [
      'that of its own context',
      { podSecurityContext: { runAsUser: 5 }, helperSecurityContext: { runAsUser: 6 } },
      6,
    ],
    ['that of its image if root is forbidden', { podSecurityContext: { runAsNonRoot: true } }, undefined],
    [
      'root if only other containers must not be',
      { podSecurityContext: { runAsNonRoot: true }, helperSecurityContext: { runAsNonRoot: false } },
      0,
    ],
  ])('the user of the helper is %s', (_user, settings, expected) => {
    expect(contextOf(settings, 'helper')?.runAsUser).toBe(expected)
  })
})

describe('the user of a job', () => {
  const userOf = (user: string, settings = {}) => {
    const image = { name: 'alpine:3.20', executor_opts: { kubernetes: { user } } }
    const plan = planned({ job: { image }, settings, variables: { ID: '1000' } })
    return { context: containerOf(plan, 'build').securityContext, lines: plan.lines }
  }

  test('is that of its option, a number with an optional group', () => {
    expect(userOf('$ID').context).toMatchObject({ runAsUser: 1000 })
    expect(userOf('1000:50').context).toMatchObject({ runAsUser: 1000, runAsGroup: 50 })
    expect(() => userOf('root')).toThrow('The user "root" of the image of the job must be a number')
  })

  test('must be allowed', () => {
    expect(userOf('1000', { allowedUsers: ['1000'] }).context).toMatchObject({ runAsUser: 1000 })
    for (const user of ['0', '00']) {
      expect(() => userOf(user, { allowedUsers: ['1000'] })).toThrow('allowed: "1000" (allowed_users)')
    }
    expect(() => userOf('1:0', { allowedGroups: ['1'] })).toThrow('does not allow the group "0"')
  })

  test('does not replace a user of the settings', () => {
    const own = userOf('1000', { buildSecurityContext: { runAsUser: 5 } })
    expect(own).toMatchObject({
      context: { runAsUser: 5 },
      lines: [expect.stringContaining('the settings of the runner say 5')],
    })
    expect(userOf('1000', { podSecurityContext: { runAsUser: 6 } }).context?.runAsUser).toBeUndefined()
  })
})

test('a container makes the builds directory writable if the settings have a context for it', () => {
  expect(planned().pod.spec?.initContainers).toBeUndefined()
  const plan = planned({ settings: { initPermissionsSecurityContext: { runAsUser: 0 } } })
  expect(containerOf(plan, 'init-permissions')).toMatchObject({
    command: ['sh', '-c', 'chmod 0777 "$0"', '/builds'],
    volumeMounts: [{ name: 'repo', mountPath: '/builds' }],
    securityContext: { runAsUser: 0 },
  })
})
