// @ts-check
// Two boards that read each other's positions: where a table's own pieces are nobody sees from one of them alone.
import { html } from '../app/html.mjs';
import { toDevices } from '../app/route.mjs';
import { useIncidents } from '../state/incidents.mjs';
import { say } from '../words/language.mjs';
import { boardPlace } from '../words/place.mjs';
import { boardById } from '../state/store.mjs';
import { Icon } from '../parts/icon.mjs';

/** @param {{ board: Shown }} props */
export function Swapped({ board }) {
  const other = useIncidents().find((incident) => incident.board === board.id && incident.game === board.game && incident.swapped)?.swapped;
  if (!other) return null;
  const place = boardById(other);
  return html`
    <section class="need-panel doubt swapped" aria-label=${say('swapped.title')}>
      <header><h2><${Icon} name="doubt" /> ${say('swapped.title')}</h2></header>
      <p>${say('swapped.text', { other: place ? boardPlace(place) : other })}</p>
      <p><a href=${toDevices()}>${say('swapped.to')}</a></p>
    </section>
  `;
}
