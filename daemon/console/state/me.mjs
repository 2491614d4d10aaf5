// @ts-check
// Who the daemon takes us for.

/** @typedef {{ required: boolean, name: string, role: string | null }} Me */

/** @returns {Promise<Me | null>} null where the daemon does not answer */
export async function whoAmI() {
  try {
    return await (await fetch('/api/people/me')).json();
  } catch {
    return null;
  }
}

/** Whoever is not let in (any more) goes to the login. */
export async function mayStay() {
  const me = await whoAmI();
  if (me?.required && !me.role) location.assign('/login.html');
}
