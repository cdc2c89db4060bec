import type { ButtonPress } from './table.ts'

/** Telegram's colours of a button: green confirms, red ends or removes something. */
export type ButtonStyle = 'success' | 'danger'

type NameOf<B> = B extends { do: infer Do extends string; act: { act: infer Act extends string } }
  ? `${Do}:${Act}`
  : B extends { do: infer Do extends string }
    ? Do
    : never

/** A button's word, and its act if the button does several things, as in `list:confirm`. */
type ButtonName = NameOf<ButtonPress>

/**
 * A coloured button acts without a further question. All others have the app's colour. `leave` has it too: it removes
 * nothing, and red would draw the eye away from the choices above it.
 */
const styles: Partial<Record<ButtonName, ButtonStyle>> = {
  confirm: 'success',
  'list:confirm': 'success',
  'complaint:solve': 'success',
  cancel: 'danger',
  disconnect: 'danger',
  'list:stop': 'danger',
  'contacts:delete': 'danger',
  'contacts:forget_kept': 'danger',
  'contacts:forget_all_kept': 'danger',
  'remind:delete': 'danger',
  'agents:revoke': 'danger',
  'agents:revoke_all': 'danger',
  'agents:remove_sure': 'danger',
  'agents:remove_owner_sure': 'danger',
  'settings:forget_sure': 'danger',
  'operator:revoke': 'danger',
  'operator:drop': 'danger',
  'operator:block_sure': 'danger',
  'operator:pause_sure': 'danger',
  'operator:network_down_sure': 'danger',
}

/** The colour of a button; undefined: the app's own colour. */
export const styleOf = (press: ButtonPress): ButtonStyle | undefined => {
  // The answer `never` keeps the account, so its button is not red.
  if (press.do === 'disconnect' && press.when === 'never') return undefined
  const name = 'act' in press ? `${press.do}:${press.act.act}` : press.do
  return isNamed(name) ? styles[name] : undefined
}

const isNamed = (name: string): name is ButtonName => Object.hasOwn(styles, name)
