import { SUIT_PATH } from "../ui/Card";
import { chips } from "../strings";
import { token } from "../theme";
import type { State } from "../messages";

/** A picture of a spot, drawn here: nothing is sent anywhere. */
export async function spotPicture(state: State, bottom: number, title: string): Promise<Blob> {
  const canvas = document.createElement("canvas");
  const scale = 2;
  canvas.width = 900 * scale;
  canvas.height = 520 * scale;
  const draw = canvas.getContext("2d")!;
  draw.scale(scale, scale);
  draw.fillStyle = token("--paper");
  draw.fillRect(0, 0, 900, 520);
  draw.fillStyle = token("--felt");
  draw.strokeStyle = token("--rail");
  draw.lineWidth = 10;
  draw.beginPath();
  draw.roundRect(80, 70, 740, 370, 185);
  draw.fill();
  draw.stroke();
  const text = (words: string, x: number, y: number, size: number, color: string, weight = 500) => {
    draw.font = `${weight} ${size}px ${token("--font")}`;
    draw.fillStyle = color;
    draw.textAlign = "center";
    draw.fillText(words, x, y);
  };
  const card = (name: string, x: number, y: number, width: number) => {
    const height = width * 1.38;
    draw.fillStyle = name === "??" ? "#13614f" : token("--card");
    draw.strokeStyle = token("--card-line");
    draw.lineWidth = 1;
    draw.beginPath();
    draw.roundRect(x, y, width, height, width * 0.13);
    draw.fill();
    draw.stroke();
    if (name === "??") return;
    const color = token(`--suit-${name[1]}`);
    text(name[0] === "T" ? "10" : name[0], x + width / 2, y + width * 0.55, width * 0.54, color, 700);
    draw.save();
    draw.translate(x + width * 0.27, y + width * 0.72);
    draw.scale((width * 0.46) / 20, (width * 0.46) / 20);
    draw.fill(new Path2D(SUIT_PATH[name[1]]));
    draw.restore();
  };
  const hand = state.hand!;
  text(chips(hand.pot), 450, 200, 20, "#fff", 700);
  hand.board.forEach((one, i) => card(one, 450 - 125 + 51 * i, 216, 46));
  state.seats.forEach((seat, i) => {
    const angle = Math.PI / 2 + (2 * Math.PI * (i - bottom)) / state.seats.length;
    const [x, y] = [450 + 370 * Math.cos(angle), 255 + 185 * Math.sin(angle)];
    draw.globalAlpha = seat.status === "folded" ? 0.5 : 1;
    seat.cards?.forEach((one, k) => card(one, x - 37 + 38 * k, y - 52, 36));
    draw.fillStyle = "#14201d";
    draw.beginPath();
    draw.roundRect(x - 66, y - 8, 132, 42, 10);
    draw.fill();
    text(`${seat.name}${hand.button === seat.seat ? " ●" : ""}`, x, y + 8, 12, "#b9c9c3");
    text(chips(seat.stack) + (seat.bet ? `  (${chips(seat.bet)})` : ""), x, y + 26, 14, "#fff", 650);
    draw.globalAlpha = 1;
  });
  text(title, 450, 505, 14, token("--muted"));
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob!), "image/png"));
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
