/** Settings and secrets of the instance by name, for example the registration token of instance runners. */
export interface InstanceSettingTable {
  key: string
  value: string
}
