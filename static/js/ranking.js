/* The views of a comparison. */

import "./elements/filter-menu.js";
import "./elements/row-keys.js";
import "./elements/triage-form.js";
import "./elements/wait-for-result.js";
