import type { ButtonPress } from './button.ts'

/** Telegram's colours of a button: green for what confirms, red for what ends or removes something. */
export type ButtonStyle = 'success' | 'danger'

type NameOf<B> = B extends { do: infer Do extends string; act: { act: infer Act extends string } }
  ? `${Do}:${Act}`
  : B extends { do: infer Do extends string }
    ? Do
    : never

/** A button's word, with the word of its act where it has several. */
type ButtonName = NameOf<ButtonPress>

/**
 * Only the press that does it is coloured, not the one that asks whether to. All other buttons look as the app likes:
 * `leave`, too, as it takes nothing away, and red would outshine the choices above it.
 */
const styles: Partial<Record<ButtonName, ButtonStyle>> = {
  confirm: 'success',
  'list:confirm': 'success',
  cancel: 'danger',
  disconnect: 'danger',
  'list:stop': 'danger',
  'contacts:delete': 'danger',
  'contacts:forget_kept': 'danger',
  'contacts:forget_all_kept': 'danger',
  'agents:revoke': 'danger',
  'agents:revoke_all': 'danger',
  'agents:remove_sure': 'danger',
  'agents:remove_owner_sure': 'danger',
  'settings:forget_sure': 'danger',
  'operator:revoke': 'danger',
  'operator:drop': 'danger',
  'operator:block_sure': 'danger',
  'operator:pause_sure': 'danger',
}

/** The colour of a button; undefined: the app's own. */
export const styleOf = (press: ButtonPress): ButtonStyle | undefined => {
  // The same word keeps the account.
  if (press.do === 'disconnect' && press.when === 'never') return undefined
  const name = 'act' in press ? `${press.do}:${press.act.act}` : press.do
  return isNamed(name) ? styles[name] : undefined
}

const isNamed = (name: string): name is ButtonName => Object.hasOwn(styles, name)
