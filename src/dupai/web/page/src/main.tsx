import { render } from "preact";
import { Shell } from "./ui/Shell";
import { setLanguage, storedLanguage } from "./strings";
import { applyTheme, storedTheme } from "./theme";
import "./styles/base.css";
import "./styles/cards.css";
import "./styles/controls.css";

applyTheme(storedTheme());
void setLanguage(storedLanguage()).then(() => render(<Shell />, document.getElementById("page")!));
