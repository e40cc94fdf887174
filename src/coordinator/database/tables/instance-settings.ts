/** Facts about the whole instance, by name; for example the registration token of instance runners. */
export interface InstanceSettingTable {
  key: string
  value: string
}
