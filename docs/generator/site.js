// The name of each cell's column, which the style sheet shows on a phone.
for (const table of document.querySelectorAll(".content table")) {
    const columns = [...table.querySelectorAll("th")].map((cell) => cell.textContent);
    for (const row of table.querySelectorAll("tbody tr")) {
        [...row.children].forEach((cell, index) => {
            // What stands first explains itself, except a number.
            const isClear = index === 0 && !/^\d/.test(cell.textContent);
            if (columns[index] && !isClear) cell.dataset.column = columns[index];
        });
    }
}

// On a phone, the style sheet lets a wide picture be moved inside its frame.
for (const picture of document.querySelectorAll('.content img[src$=".svg"]')) {
    if (picture.getAttribute("width") <= 500) continue;
    const frame = document.createElement("div");
    frame.className = "picture";
    picture.replaceWith(frame);
    frame.append(picture);
}
