/* The ranking page. */

import "./elements/row-keys.js";
import "./elements/triage-form.js";
import "./elements/wait-for-result.js";
