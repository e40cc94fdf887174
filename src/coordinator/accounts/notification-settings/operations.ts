import type { Database } from '../../database/connect.js'
import { type Operation, operation } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { GlobalSettings, LocalSettings, SetGlobalSettings, SetLocalSettings } from './schema.js'
import { globalSettings, localSettings, setGlobalSettings, setLocalSettings } from './settings.js'

/** About what users want mails (API, L3). */
export function notificationSettingOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /notification_settings', {
      summary: 'Get the notification settings of the current user',
      access: 'user',
      responses: { 200: GlobalSettings },
      run: ({ user }) => globalSettings(database, user),
    }),
    operation('PUT /notification_settings', {
      summary: 'Change the notification settings of the current user',
      access: 'user',
      params: SetGlobalSettings,
      responses: { 200: GlobalSettings },
      run: ({ user, params }) => setGlobalSettings(database, user, params),
    }),
    operation('GET /groups/:id/notification_settings', {
      summary: 'Get the notification settings of the current user for a group',
      access: 'set_group_notifications',
      responses: { 200: LocalSettings },
      run: ({ group, user }) => localSettings(database, signedIn(user), { group_id: group.id }),
    }),
    operation('PUT /groups/:id/notification_settings', {
      summary: 'Change the notification settings of the current user for a group',
      access: 'set_group_notifications',
      params: SetLocalSettings,
      responses: { 200: LocalSettings },
      run: ({ group, user, params }) =>
        setLocalSettings(database, signedIn(user), { group_id: group.id }, params),
    }),
    operation('GET /projects/:id/notification_settings', {
      summary: 'Get the notification settings of the current user for a project',
      access: 'set_notifications',
      responses: { 200: LocalSettings },
      run: ({ project, user }) => localSettings(database, signedIn(user), { project_id: project.id }),
    }),
    operation('PUT /projects/:id/notification_settings', {
      summary: 'Change the notification settings of the current user for a project',
      access: 'set_notifications',
      params: SetLocalSettings,
      responses: { 200: LocalSettings },
      run: ({ project, user, params }) =>
        setLocalSettings(database, signedIn(user), { project_id: project.id }, params),
    }),
  ]
}
